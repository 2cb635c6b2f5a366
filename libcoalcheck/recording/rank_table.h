// SPDX-License-Identifier: Apache-2.0
//
// The ranks of one job or several, in little memory each: what they are called stands once.
#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <tuple>
#include <vector>

#include "libcoalcheck/recording/merged_records.h"

namespace coalcheck::recording {

class RankTable {
 public:
  RankTable() = default;
  RankTable(const RankTable& other) { Add(other); }
  RankTable& operator=(const RankTable& other) { return *this = RankTable(other); }
  RankTable(RankTable&&) = default;
  RankTable& operator=(RankTable&&) = default;
  ~RankTable() = default;

  // Adds to the entry of the same job, rank and host. Adding is associative and commutative.
  void Add(const RankEntry& entry);
  void Add(const RankTable& other);

  // In the order of job, rank and host; processes without a rank come first.
  void ForEach(const std::function<void(const RankEntry&)>& each) const;

  std::size_t size() const { return rows_ == nullptr ? 0 : rows_->of.size(); }
  bool empty() const { return size() == 0; }

 private:
  struct Key {
    std::uint32_t job = 0;   // in names_
    std::uint32_t host = 0;  // in names_
    std::uint32_t rank = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Row {
    std::uint32_t local_rank = 0;
    std::uint32_t world_size = 0;
    absl::InlinedVector<GpuUuid, 1> gpus;
    absl::InlinedVector<Ending, 1> endings;
    RankSums sums;
  };

  std::uint32_t NumberOf(const std::string& name);
  RankEntry EntryOf(const Key& key, const Row& row) const;

  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t> numbers_;
  // Side by side, not between what is allocated and freed while recordings are read.
  struct Rows {
    std::pmr::monotonic_buffer_resource memory;
    std::pmr::map<Key, Row> of{&memory};
  };
  std::unique_ptr<Rows> rows_;  // null: none
};

}  // namespace coalcheck::recording
