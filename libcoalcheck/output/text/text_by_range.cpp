// SPDX-License-Identifier: Apache-2.0
//
// Writes the findings under a heading for each range, and counts windows in no group.
#include "libcoalcheck/output/text/text_by_range.h"

#include <fmt/format.h>

#include <algorithm>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/ranges.h"

namespace coalcheck::output {
namespace {

using findings::RangeGroup;
using findings::Report;

std::string Heading(const RangeGroup& group) {
  const Report& part = group.report;
  std::string heading =
      fmt::format("{}: checked {} of {}",
                  group.range ? "in range " + RangeName(*group.range) : "outside every range",
                  words::Grouped(part.launches_checked.count()),
                  words::Count(part.launches.count(), "launch", "launches"));
  if (part.sectors > Sectors(0)) {
    heading += fmt::format(", {} sectors, {} of them wasted", words::Short(part.sectors.count()),
                           words::Percent(Per(part.sectors - part.ideal, part.sectors)));
  }
  return heading + '\n';
}

std::string Group(const RangeGroup& group, const std::string& findings) {
  if (!findings.empty()) return Heading(group) + findings;
  const auto found = static_cast<std::size_t>(
      std::ranges::count(group.report.places, true, &findings::Place::is_finding));
  const bool counted = group.report.launches_checked > Launches(0);
  std::string instead =
      counted ? "   no finding\n" : "   nothing was counted in this group alone\n";
  // The limit on what is printed is one for all groups.
  if (found > 0) {
    instead = fmt::format("   {} not printed: --print-limit\n",
                          words::Count(found, "finding is", "findings are"));
  }
  return Heading(group) + instead;
}

}  // namespace

std::string ByRangeText(const Report& report,
                        const std::function<std::string(const Report&)>& findings_of) {
  std::string text;
  std::size_t ranges = 0;
  for (const RangeGroup& group : report.by_range) {
    if (group.range) ++ranges;
    if (!group.range && group.report.launches == Launches(0)) continue;
    text += Group(group, findings_of(group.report));
  }
  if (report.ranges.size() > ranges) {
    const std::size_t more = report.ranges.size() - ranges;
    text += fmt::format("coalcheck: … and {} that wasted less\n",
                        words::Count(more, "more range", "more ranges"));
  }
  if (report.windows_in_no_group > 0) {
    text += fmt::format(
        "coalcheck: {} in no group: launches of several ranges inside, or of a range not listed\n",
        words::Count(report.windows_in_no_group, "window is", "windows are"));
  }
  return text;
}

}  // namespace coalcheck::output
