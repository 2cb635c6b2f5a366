// SPDX-License-Identifier: Apache-2.0
//
// Windows that are alike in their launches, their functions and, to a whole number, in their
// sectors for each request, as a few examples and the sum of the others.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/merging/counters.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::merging {

// So many windows of each kind are kept as they are, with their arguments: what explains an access
// needs single launches. They are those of the lowest ranks.
inline constexpr std::size_t kExamples = 3;

class WindowBook {
 public:
  // A window with an origin, or a sum of windows; the numbers of its device and of its ranges mean
  // the same in all windows of the book.
  void Add(recording::Window window);

  // Windows of which the counts are in no sum, since it would be more than a recording can hold.
  std::uint64_t lost() const { return lost_.count(); }

  // What the rows hold from now on: at first anything, later a part of what they held.
  void SetCounters(const Counters& counters);

  // Examples by origin, then sums; numbered from 1. `devices` and `ranges` are the numbers to write
  // in place of those that were given.
  std::vector<recording::Window> Take(const std::vector<std::uint32_t>& devices,
                                      const std::vector<std::uint32_t>& ranges) &&;

 private:
  using FunctionKey = std::pair<std::optional<CubinId>, std::string>;
  struct Key {
    std::set<recording::LaunchShape> shapes;
    std::set<FunctionKey> functions;  // with counts
    recording::WindowKind kind = recording::WindowKind::kLaunch;
    recording::WindowClose close = recording::WindowClose::kInTime;
    DeviceIndex device;
    std::uint64_t sectors_per_request = 0;  // rounded down; 0, too, where requests are not counted
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using Rows = std::map<PcOffset, std::vector<std::uint64_t>>;
  struct Sum {
    Launches windows;
    Launches dropped_records;
    std::vector<std::uint64_t> totals;  // of each counter, over all rows
    std::map<recording::LaunchShape, Launches> inside;
    std::map<FunctionKey, Rows> functions;
  };
  struct Alike {
    std::vector<recording::Window> examples;  // in order
    Sum sum;
  };

  Key KeyOf(const recording::Window& window) const;
  void AddTo(Sum& sum, const recording::Window& window);
  static bool AddTotals(const recording::Window& window, std::vector<std::uint64_t>& totals);
  static recording::Window ToWindow(const Key& key, Sum sum);

  Counters counters_;
  std::map<Key, Alike> windows_;
  Launches lost_;
};

}  // namespace coalcheck::merging
