// SPDX-License-Identifier: Apache-2.0
//
// One row a range, the most wasteful first.
#include "libcoalcheck/output/view/ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

using findings::RangeCoverage;

constexpr std::size_t kMostRangeRows = 20;
constexpr std::size_t kWidestName = 48;

std::string Row(const RangeCoverage& coverage, std::size_t width) {
  const Sectors wasted = coverage.sectors - coverage.ideal;
  const bool counted = coverage.windows > 0;
  return fmt::format("  {:<{}}  {:>9}  {:>9}  {:>9}  {:>8}\n", RangeName(coverage.range), width,
                     words::Grouped(coverage.launches.count()),
                     words::Grouped(coverage.checked.count()),
                     counted ? words::Short(coverage.sectors.count()) : "-",
                     counted ? words::Percent(Per(wasted, coverage.sectors)) : "-");
}

}  // namespace

std::string RangeName(const OpenRange& range) {
  return words::Printable(range.domain.empty() ? range.name : range.domain + "@" + range.name);
}

std::string RangesText(const findings::Report& report) {
  if (report.ranges.empty()) return {};
  const std::size_t rows = std::min(report.ranges.size(), kMostRangeRows);
  std::size_t width = 5;
  for (std::size_t i = 0; i < rows; ++i) {
    width = std::max(width, std::min(RangeName(report.ranges[i].range).size(), kWidestName));
  }
  std::string text = fmt::format("  {:<{}}  {:>9}  {:>9}  {:>9}  {:>8}\n", "range", width,
                                 "launches", "checked", "sectors", "wasted");
  for (std::size_t i = 0; i < rows; ++i) text += Row(report.ranges[i], width);
  if (report.ranges.size() > rows) {
    text += fmt::format("  … and {} more ranges\n", words::Grouped(report.ranges.size() - rows));
  }
  return text;
}

}  // namespace coalcheck::output
