// SPDX-License-Identifier: Apache-2.0
//
// What and where, the source line with the cause under it, what to do and what not to.
#include "libcoalcheck/output/text_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "libcoalcheck/findings/array_name.h"
#include "libcoalcheck/findings/move_words.h"
#include "libcoalcheck/findings/words.h"
#include "libcoalcheck/findings/worst_part.h"
#include "libcoalcheck/output/text_details.h"
#include "libcoalcheck/output/text_patterns.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

constexpr std::size_t kMaxSourceWidth = 200;

std::string Where(const Report& report, const Access& access) {
  if (access.shown) {
    return fmt::format("{}:{}", words::Printable(words::PathShown(report, access.shown->file)),
                       access.shown->line);
  }
  return fmt::format("{}: pc 0x{:x}", words::ShortName(access.kernel),
                     access.instructions.front().pc.value());
}

const Access& Worst(const Report& report, const Place& place) {
  return report.accesses[words::WorstOf(report, place)];
}

// "87.5 %", or "50 to 87.5 %" where instantiations differ.
std::string Shares(const Report& report, const Place& place, const Access& worst) {
  double least = worst.counts.WastedShare();
  for (std::size_t i = 0; i < place.counted; ++i) {
    least = std::min(least, report.accesses[place.accesses[i]].counts.WastedShare());
  }
  std::string most = words::Percent(worst.counts.WastedShare());
  std::string lowest = words::Percent(least);
  if (lowest == most) return most;
  lowest.resize(lowest.rfind(' '));
  return lowest + " to " + most;
}

std::string WastesWhat(const Report& report, const Place& place, const Access& worst) {
  return fmt::format("{} wastes {}", cubin::ToString(worst.kind), Shares(report, place, worst));
}

// "; the worst of its 3 loads wastes 20 %", where the line as a whole hides that.
std::string WorstPartWords(const Access& access) {
  const auto worst = findings::WorstPartOf(access);
  if (!worst) return {};
  const std::string share = words::Percent(worst->counts.WastedShare());
  if (share == words::Percent(access.counts.WastedShare())) return {};
  return fmt::format("; the worst of its {} {} wastes {}", worst->of, cubin::Plural(access.kind),
                     share);
}

// "32 sectors a request, 4 needed"
std::string NeededWords(const Report& report, const findings::Counts& counts) {
  const auto sectors = [](double number) {
    return fmt::format("{} {}", words::Average(number), number == 1 ? "sector" : "sectors");
  };
  if (!report.present.requests || counts.requests == Requests(0)) {
    return fmt::format("{} sectors, {} needed", words::Short(counts.sectors.count()),
                       words::Short(counts.ideal.count()));
  }
  return fmt::format("{} a request, {} needed", sectors(Per(counts.sectors, counts.requests)),
                     words::Average(Per(counts.ideal, counts.requests)));
}

// Where in the line, as it is printed, the array stands that the access is of, and how long its
// name is; the first word where that is not known.
struct Mark {
  std::size_t at = 0;
  std::size_t length = 1;
};

Mark MarkOf(std::string_view line, const std::string& array) {
  const std::size_t first = line.find_first_not_of(' ');
  if (!array.empty()) {
    const std::size_t at = line.find(array + "[");
    if (at != std::string_view::npos) return {at, array.size()};
  }
  return {first == std::string_view::npos ? 0 : first, 1};
}

// The line of the source, and the cause under it.
std::string SourceLines(const Report& report, const Place& place, const Access& access,
                        cubin::SourceText& sources) {
  const std::string cause = CauseWords(report, place);
  const auto line = access.shown ? sources.Line(access.shown->file, access.shown->line)
                                 : std::optional<std::string>();
  if (!line) return cause.empty() ? "" : fmt::format("   {}\n", cause);
  std::string_view text = *line;
  const bool cut = text.size() > kMaxSourceWidth;
  if (cut) text = text.substr(0, kMaxSourceWidth);
  const std::string shown = words::Printable(text);
  std::string lines = fmt::format("{:>5} | {}{}\n", access.shown->line, shown, cut ? " …" : "");
  if (cause.empty()) return lines;
  std::string array = words::ArrayOf(access);
  if (array.empty()) array = findings::ArrayName(place.identity.text, access.kind);
  const Mark mark = MarkOf(shown, array);
  return lines + fmt::format("{:>5} | {}^{} {}\n", "", std::string(mark.at, ' '),
                             std::string(mark.length - 1, '~'), cause);
}

// "a.cu:21–25" where all lie in one file, else the first alone.
std::string WhereAll(const Report& report, const findings::Cause& cause) {
  const Access& first = Worst(report, *cause.members.front());
  if (!first.shown) return Where(report, first);
  std::uint32_t low = first.shown->line;
  std::uint32_t high = low;
  for (const Place* place : cause.members) {
    const Access& one = Worst(report, *place);
    if (!one.shown || one.shown->file != first.shown->file) return Where(report, first);
    low = std::min(low, one.shown->line);
    high = std::max(high, one.shown->line);
  }
  if (low == high) return Where(report, first);
  return fmt::format("{}:{}–{}", words::Printable(words::PathShown(report, first.shown->file)), low,
                     high);
}

// "store", "2 loads and 1 store".
std::string KindsOf(const Report& report, const findings::Cause& cause) {
  std::map<cubin::AccessKind, std::uint64_t> kinds;
  for (const Place* place : cause.members) ++kinds[Worst(report, *place).kind];
  if (cause.members.size() == 1) return std::string(cubin::ToString(kinds.begin()->first));
  std::vector<std::string> parts;
  for (const auto& [kind, number] : kinds) {
    parts.push_back(words::Count(number, cubin::ToString(kind), cubin::Plural(kind)));
  }
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string WastesWhat(const Report& report, const findings::Cause& cause) {
  const Place& first = *cause.members.front();
  if (cause.members.size() == 1) return WastesWhat(report, first, Worst(report, first));
  return fmt::format("{} waste {}", KindsOf(report, cause),
                     words::Percent(cause.whole.counts.WastedShare()));
}

std::string HeadLine(const Report& report, const findings::Cause& cause, const Style& style) {
  const std::string& standing = cause.whole.standing;
  const bool is_alone = cause.members.size() == 1;
  return fmt::format("{} {}: {}{}{}\n", style.Bold(WhereAll(report, cause) + ":"),
                     style.Bad(WastesWhat(report, cause)), NeededWords(report, cause.whole.counts),
                     is_alone ? WorstPartWords(Worst(report, *cause.members.front())) : "",
                     standing.empty() ? "" : "; baseline: " + standing);
}

void AddChange(const Report& report, const Place& place, Details& details) {
  for (const Details& further : {ChangeDetails(report, place), NeedsDetails(report, place)}) {
    details.insert(details.end(), further.begin(), further.end());
  }
}

}  // namespace

FindingView ViewOf(const Report& report, const Place& place) {
  FindingView view;
  view.worst = &Worst(report, place);
  view.where = Where(report, *view.worst);
  view.what = cubin::ToString(view.worst->kind);
  view.claim = WastesWhat(report, place, *view.worst) + " of the sectors it touches";
  view.claim += WorstPartWords(*view.worst);
  view.details = DetailsOf(report, place, *view.worst);
  AddChange(report, place, view.details);
  return view;
}

FindingView ViewOf(const Report& report, const findings::Cause& cause) {
  const Place& first = *cause.members.front();
  if (cause.members.size() == 1) return ViewOf(report, first);
  FindingView view;
  view.worst = &Worst(report, first);
  view.where = WhereAll(report, cause);
  view.what = KindsOf(report, cause);
  view.claim = WastesWhat(report, cause) + " of the sectors they touch";
  view.details = DetailsOf(report, cause.whole, *view.worst);
  AddChange(report, first, view.details);
  return view;
}

std::string FindingText(const Report& report, const findings::Cause& cause,
                        cubin::SourceText& sources, const Style& style, std::size_t most_lines) {
  const Place& place = *cause.members.front();
  const Access& access = Worst(report, place);
  const std::string text =
      HeadLine(report, cause, style) + SourceLines(report, place, access, sources) +
      Lines(MadeFromDetails(report, access)) + Lines(AssumedDetails(access)) +
      Lines(CostDetails(report, cause.whole)) + Lines(ChangeDetails(report, place));
  std::size_t end = 0;
  for (std::size_t i = 0; i < most_lines && end < text.size(); ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

}  // namespace coalcheck::output
