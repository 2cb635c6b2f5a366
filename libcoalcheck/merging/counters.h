// SPDX-License-Identifier: Apache-2.0
//
// Which counters several recordings have in common, and where each of them has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::merging {

using Counters = std::vector<std::string>;

// In one order whatever order they came in: those that coalcheck knows first.
Counters InOrder(const Counters& counters);
// Those in both, and those in one of them; both in order.
Counters Common(const Counters& a, const Counters& b);
Counters Either(const Counters& a, const Counters& b);
// Those of `all` that are not in `some`.
Counters Without(const Counters& all, const Counters& some);

// Whether waste can be judged by them.
bool CanJudge(const Counters& counters);

// Takes rows with one list of counters to a shorter list.
class Projection {
 public:
  // Each of `to` is in `from`.
  Projection(const Counters& from, const Counters& to);
  void Apply(recording::CountRow& row) const;

 private:
  std::vector<std::size_t> columns_;
  bool is_identity_ = true;
};

// One counter of a row; 0 where the recording lacks it.
class Column {
 public:
  Column(const Counters& counters, std::string_view name);
  bool exists() const { return at_ != kNone; }
  std::uint64_t Of(const recording::CountRow& row) const {
    return at_ < row.values.size() ? row.values[at_] : 0;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t at_ = kNone;
};

}  // namespace coalcheck::merging
