// SPDX-License-Identifier: Apache-2.0
//
// Takes the windows and tallies apart by the shapes of their launches.
#include "libcoalcheck/findings/sums/selected.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/recording/losses.h"

namespace coalcheck::findings {
namespace {

using recording::LaunchesInside;
using recording::LaunchShape;
using recording::RecordedRun;
using recording::Window;

// Remembers what it was asked: a recording has many launches of few kernels and sets of ranges.
class Selector {
 public:
  Selector(const Selected& selected, const RecordedRun& run) : selected_(selected) {
    for (const recording::RangeSet& set : run.range_sets) {
      ranges_[set.ranges] = selection::RangesSelected(selected.ranges, {}, set.open);
    }
  }

  bool Wants(const LaunchShape& shape) {
    // A set that the recording does not explain counts as no range.
    const auto known =
        ranges_.try_emplace(shape.ranges, selection::RangesSelected(selected_.ranges, {}, {}));
    return known.first->second && WantsKernel(shape.kernel);
  }

 private:
  bool WantsKernel(const std::string& mangled) {
    if (selected_.kernels.empty()) return true;
    const auto [known, is_new] = kernels_.try_emplace(mangled, false);
    if (is_new) {
      const std::string readable = Demangle(mangled);
      known->second = std::ranges::any_of(
          selected_.kernels, [&](const auto& pattern) { return pattern.Matches(readable); });
    }
    return known->second;
  }

  const Selected& selected_;
  std::map<RangeSetId, bool> ranges_;
  std::map<std::string, bool> kernels_;
};

template <typename Pattern>
Result<std::vector<Pattern>> ParseAll(std::string_view option,
                                      const std::vector<std::string>& texts) {
  std::vector<Pattern> patterns;
  for (const std::string& text : texts) {
    Result<Pattern> pattern = Pattern::Parse(text);
    if (!pattern.ok()) return Error{fmt::format("--{}: {}", option, pattern.error())};
    patterns.push_back(std::move(pattern).value());
  }
  return patterns;
}

}  // namespace

Result<Selected> ParseSelected(const std::vector<std::string>& kernels,
                               const std::vector<std::string>& ranges) {
  auto kernel_patterns = ParseAll<selection::KernelPattern>("kernel", kernels);
  if (!kernel_patterns.ok()) return Error{kernel_patterns.error()};
  auto range_filters = ParseAll<selection::RangeFilter>("nvtx-include", ranges);
  if (!range_filters.ok()) return Error{range_filters.error()};
  return Selected{std::move(kernel_patterns).value(), std::move(range_filters).value()};
}

void KeepSelected(const Selected& selected, RecordedRun& run) {
  if (selected.everything()) return;
  Selector selector(selected, run);
  std::uint64_t mixed = 0;
  const auto leaves = [&](const Window& window) {
    const auto wanted = std::ranges::count_if(
        window.inside, [&](const LaunchesInside& one) { return selector.Wants(one.shape); });
    const bool whole = wanted == std::ssize(window.inside) && wanted > 0;
    if (wanted > 0 && !whole) ++mixed;
    return !whole;
  };
  const auto gone = std::erase_if(run.windows, leaves);
  std::erase_if(run.tallies, [&](const auto& tally) { return !selector.Wants(tally.shape); });
  // In which ranges launches with some arguments were made is not known.
  std::erase_if(run.uncounted, [&](const recording::Uncounted& one) {
    return !selected.ranges.empty() || !selector.Wants({one.kernel, {}, {}, {}});
  });
  // Ranges are no part of what is compared between ranks.
  std::erase_if(run.spreads, [&](const recording::Spread& spread) {
    return !selected.ranges.empty() ||
           !selector.Wants({spread.function, spread.grid, spread.block, {}});
  });
  if (run.progress) run.progress->windows -= std::min(run.progress->windows, gone);
  if (mixed > 0) {
    run.losses.push_back({std::string(recording::loss::kWindowLost),
                          "launches that are not selected were counted in the same windows",
                          mixed});
  }
}

}  // namespace coalcheck::findings
