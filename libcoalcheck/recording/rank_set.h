// SPDX-License-Identifier: Apache-2.0
//
// Ranks as stretches of numbers: of a thousand ranks that are alike, one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coalcheck::recording {

class RankSet {
 public:
  struct Span {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    friend auto operator<=>(const Span&, const Span&) = default;
  };

  RankSet() = default;
  // In any order; takes n log n for n spans, where adding them one by one may take n * n.
  explicit RankSet(std::vector<Span> spans);

  // Both ends are added; nothing if `last` is below `first`.
  void Add(std::uint32_t first, std::uint32_t last);
  void Add(std::uint32_t rank) { Add(rank, rank); }
  void Add(const RankSet& other);

  bool empty() const { return spans_.empty(); }
  bool Contains(std::uint32_t rank) const;
  std::uint64_t Count() const;
  // Ascending, none touching the next.
  const std::vector<Span>& spans() const { return spans_; }
  // Those from 0 to `world_size` - 1 that are not in it.
  RankSet MissingOf(std::uint32_t world_size) const;

  friend bool operator==(const RankSet&, const RankSet&) = default;

 private:
  std::vector<Span> spans_;
};

}  // namespace coalcheck::recording
