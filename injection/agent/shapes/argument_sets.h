// SPDX-License-Identifier: Apache-2.0
//
// What the launches of one shape in one window were called with: each set of arguments once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

// The bytes of arguments that one window keeps, for all its shapes together: a record has to fit
// in a line.
inline constexpr Bytes kMostArgumentsOfWindow{std::uint64_t{1} << 20};

class ArgumentSets {
 public:
  static constexpr std::size_t kMostSets = 16;

  // Whether there is no use in reading the arguments of one more launch: AddUnread() it.
  bool full() const { return full_; }
  // Adds those of one launch. `room` is what the window may still keep, and becomes less.
  void Add(recording::LaunchArguments arguments, Bytes& room);
  // Adds a launch of which nothing is kept, for want of room.
  void AddUnread();

  std::vector<recording::LaunchArguments> Take() { return std::move(sets_); }

 private:
  std::vector<recording::LaunchArguments> sets_;
  bool full_ = false;
};

}  // namespace coalcheck::agent
