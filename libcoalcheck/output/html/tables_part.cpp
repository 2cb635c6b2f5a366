// SPDX-License-Identifier: Apache-2.0
//
// Plain tables with heads, so that a screen reader can name each cell.
#include <fmt/format.h>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/html/parts.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/ranges.h"

namespace coalcheck::output::html {
namespace {

using findings::Report;

std::string Head(std::initializer_list<std::string_view> numbers, std::string_view first) {
  std::string head =
      fmt::format("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">{}</th>", first);
  for (const std::string_view title : numbers) {
    head += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", title);
  }
  return head + "</tr></thead><tbody>\n";
}

constexpr std::string_view kEnd = "</tbody></table></div>\n";

std::string Row(const std::string& name, std::initializer_list<std::string> numbers) {
  std::string row = fmt::format("<tr><td class=\"name\">{}</td>", EscapeHtml(Cut(name)));
  for (const std::string& number : numbers) {
    row += fmt::format("<td class=\"number\">{}</td>", number);
  }
  return row + "</tr>\n";
}

std::string RangeRow(const findings::RangeCoverage& coverage) {
  const bool counted = coverage.windows > 0;
  const Sectors wasted = coverage.sectors - coverage.ideal;
  return Row(RangeName(coverage.range),
             {words::Grouped(coverage.launches.count()), words::Grouped(coverage.checked.count()),
              counted ? words::Short(coverage.sectors.count()) : "–",
              counted ? words::Percent(Per(wasted, coverage.sectors)) : "–"});
}

// The findings of one group, by its own counts.
std::string Group(const findings::RangeGroup& group) {
  const Report& part = group.report;
  const std::string name = group.range ? RangeName(*group.range) : "outside every range";
  std::string text = fmt::format("<h3>{}</h3>\n<p>checked {} of {}</p>\n", EscapeHtml(Cut(name)),
                                 words::Grouped(part.launches_checked.count()),
                                 words::Count(part.launches.count(), "launch", "launches"));
  const std::vector<findings::Cause> causes = findings::CausesOf(part);
  if (causes.empty()) return text + "<p class=\"faint\">no finding in this group alone</p>\n";
  text += Head({"sectors", "sectors wasted", "share"}, "finding");
  for (const findings::Cause& cause : causes) {
    const FindingView view = ViewOf(part, cause);
    const findings::Counts& counts = cause.whole.counts;
    text += Row(fmt::format("{}: {} in {}", view.where, view.what,
                            words::PrintableName(view.worst->kernel)),
                {words::Short(counts.sectors.count()), words::Short(counts.Wasted().count()),
                 words::Percent(counts.WastedShare())});
  }
  return text + std::string(kEnd);
}

}  // namespace

std::string RangesPart(const Report& report) {
  if (report.ranges.empty()) return {};
  std::string part = "<section id=\"ranges\"><h2>NVTX ranges</h2>\n" +
                     Head({"launches", "checked", "sectors", "wasted"}, "range");
  for (const findings::RangeCoverage& range : report.ranges) part += RangeRow(range);
  part += kEnd;
  for (const findings::RangeGroup& group : report.by_range) {
    if (group.range || group.report.launches > Launches(0)) part += Group(group);
  }
  return part + "</section>\n";
}

std::string KernelsPart(const Report& report) {
  if (report.kernels.empty() || report.prediction) return {};
  std::string part =
      "<section id=\"kernels\"><h2>Kernels</h2>\n" + Head({"launches", "checked"}, "kernel");
  for (const findings::KernelCoverage& kernel : report.kernels) {
    part += Row(words::PrintableName(kernel.kernel),
                {words::Grouped(kernel.launches.count()), words::Grouped(kernel.checked.count())});
  }
  return part + std::string(kEnd) + "</section>\n";
}

std::string NotesPart(const Report& report) {
  const std::vector<std::string> notes = NotesOf(report);
  if (notes.empty()) return {};
  std::string part = "<section id=\"notes\"><h2>Notes</h2>\n<ul>\n";
  for (const std::string& note : notes) {
    part += fmt::format("<li>{}</li>\n", EscapeHtml(Cut(note)));
  }
  return part + "</ul></section>\n";
}

}  // namespace coalcheck::output::html
