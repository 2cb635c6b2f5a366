// SPDX-License-Identifier: Apache-2.0
//
// The examples are the first of all windows that are alike, in one order: which they are does not
// depend on how the others came to be summed.
#include "libcoalcheck/merging/window_book.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/possible_counts.h"

namespace coalcheck::merging {
namespace {

using recording::LaunchesInside;
using recording::Window;

// By origin; what has the same is told apart by all it says.
bool ComesFirst(const Window& a, const Window& b) {
  if (a.origin != b.origin) return a.origin < b.origin;
  return recording::ToJsonLine(a) < recording::ToJsonLine(b);
}

// Puts windows in that order; each says all it has once, however many it is compared with.
void Sort(std::vector<Window>& windows) {
  std::ranges::sort(windows, [](const Window& a, const Window& b) { return a.origin < b.origin; });
  for (auto first = windows.begin(); first != windows.end();) {
    const auto end = std::find_if(
        first, windows.end(), [&](const Window& window) { return window.origin != first->origin; });
    std::vector<std::pair<std::string, Window>> alike;
    for (auto at = first; end - first > 1 && at != end; ++at) {
      std::string line = recording::ToJsonLine(*at);
      alike.emplace_back(std::move(line), std::move(*at));
    }
    std::ranges::sort(alike, {}, &std::pair<std::string, Window>::first);
    for (auto& [line, window] : alike) *first++ = std::move(window);
    first = end;
  }
}

void AddValues(const std::vector<std::uint64_t>& values, std::vector<std::uint64_t>& sums) {
  sums.resize(std::max(sums.size(), values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i] = (Launches(sums[i]) + Launches(values[i])).count();  // saturating
  }
}

void Renumber(const std::vector<std::uint32_t>& devices, const std::vector<std::uint32_t>& ranges,
              Window& window) {
  window.device = DeviceIndex(devices[window.device.value()]);
  for (LaunchesInside& inside : window.inside) {
    inside.shape.ranges = RangeSetId(ranges[inside.shape.ranges.value()]);
  }
}

// Of the sum of windows that have as many, as many again.
std::uint64_t WholeSectors(const Window& window, const Counters& counters) {
  const Column requests(counters, recording::kRequests);
  const Column async(counters, recording::kAsyncRequests);
  const Column sectors(counters, recording::kSectors);
  Requests all_requests;
  Sectors all_sectors;
  for (const recording::FunctionCounts& function : window.functions) {
    for (const recording::CountRow& row : function.rows) {
      all_requests += Requests(requests.Of(row)) + Requests(async.Of(row));
      all_sectors += Sectors(sectors.Of(row));
    }
  }
  const bool is_known = requests.exists() && all_requests > Requests(0);
  return is_known ? all_sectors.count() / all_requests.count() : 0;
}

void SortInside(Window& window) {
  std::ranges::stable_sort(window.inside, {}, &LaunchesInside::shape);
}

}  // namespace

WindowBook::Key WindowBook::KeyOf(const Window& window) const {
  Key key{{}, {}, window.kind, window.close, window.device, WholeSectors(window, counters_)};
  for (const LaunchesInside& inside : window.inside) key.shapes.insert(inside.shape);
  for (const recording::FunctionCounts& function : window.functions) {
    if (!function.rows.empty()) key.functions.insert({function.cubin, function.function});
  }
  return key;
}

// False, and `totals` as they were: one would be more than a sum may be.
bool WindowBook::AddTotals(const Window& window, std::vector<std::uint64_t>& totals) {
  std::vector<std::uint64_t> together = totals;
  for (const recording::FunctionCounts& function : window.functions) {
    for (const recording::CountRow& row : function.rows) AddValues(row.values, together);
  }
  const bool fits =
      std::ranges::all_of(together, [](auto total) { return total <= recording::kMostOfASum; });
  if (fits) totals = std::move(together);
  return fits;
}

void WindowBook::AddTo(Sum& sum, const Window& window) {
  const Launches windows(window.sum_of > 0 ? window.sum_of : 1);
  if (!AddTotals(window, sum.totals)) {
    lost_ += windows;
    return;
  }
  sum.windows += windows;
  sum.dropped_records += Launches(window.dropped_records);
  for (const LaunchesInside& inside : window.inside) sum.inside[inside.shape] += inside.launches;
  for (const recording::FunctionCounts& function : window.functions) {
    if (function.rows.empty()) continue;
    Rows& rows = sum.functions[{function.cubin, function.function}];
    for (const recording::CountRow& row : function.rows) AddValues(row.values, rows[row.pc]);
  }
}

void WindowBook::Add(Window window) {
  Alike& alike = windows_[KeyOf(window)];
  if (!window.origin) return AddTo(alike.sum, window);
  window.window = WindowId(0);
  std::vector<Window>& examples = alike.examples;
  examples.insert(std::ranges::upper_bound(examples, window, ComesFirst), std::move(window));
  if (examples.size() <= kExamples) return;
  AddTo(alike.sum, examples.back());
  examples.pop_back();
}

// What is alike by fewer counters was not always alike by more.
void WindowBook::SetCounters(const Counters& counters) {
  if (counters == counters_) return;
  const Projection projection(counters_, counters);
  std::map<Key, Alike> windows = std::exchange(windows_, {});
  counters_ = counters;
  const auto take = [&](Window window) {
    for (recording::FunctionCounts& function : window.functions) {
      for (recording::CountRow& row : function.rows) projection.Apply(row);
    }
    Add(std::move(window));
  };
  for (auto& [key, alike] : windows) {
    for (Window& example : alike.examples) take(std::move(example));
    if (alike.sum.windows > Launches(0)) take(ToWindow(key, std::move(alike.sum)));
  }
}

Window WindowBook::ToWindow(const Key& key, Sum sum) {
  Window window;
  window.kind = key.kind;
  window.close = key.close;
  window.device = key.device;
  window.sum_of = sum.windows.count();
  window.dropped_records = sum.dropped_records.count();
  for (const auto& [shape, launches] : sum.inside) window.inside.push_back({shape, launches, {}});
  for (auto& [function, rows] : sum.functions) {
    recording::FunctionCounts& counts = window.functions.emplace_back();
    counts.cubin = function.first;
    counts.function = function.second;
    for (auto& [pc, values] : rows) counts.rows.push_back({pc, std::move(values)});
  }
  return window;
}

std::vector<Window> WindowBook::Take(const std::vector<std::uint32_t>& devices,
                                     const std::vector<std::uint32_t>& ranges) && {
  std::vector<Window> examples;
  std::vector<std::pair<Key, Window>> sums;
  for (auto& [key, alike] : windows_) {
    for (Window& example : alike.examples) {
      Renumber(devices, ranges, example);
      examples.push_back(std::move(example));
    }
    if (alike.sum.windows == Launches(0)) continue;
    Window sum = ToWindow(key, std::move(alike.sum));
    Renumber(devices, ranges, sum);
    SortInside(sum);
    Key renumbered = KeyOf(sum);
    sums.emplace_back(std::move(renumbered), std::move(sum));
  }
  windows_.clear();
  Sort(examples);
  std::ranges::sort(sums, {}, &std::pair<Key, Window>::first);
  std::vector<Window> windows = std::move(examples);
  for (auto& [key, sum] : sums) windows.push_back(std::move(sum));
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i].window = WindowId(i + 1);
  return windows;
}

}  // namespace coalcheck::merging
