// SPDX-License-Identifier: Apache-2.0
//
// Asks each part of the report for its sentence, once.
#include "libcoalcheck/output/view/finding_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "libcoalcheck/findings/places/worst_part.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/details.h"
#include "libcoalcheck/output/view/patterns.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

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

// "a.cu:21–25", "a.cu:21–25 and b.h:7".
std::string WhereAll(const Report& report, const findings::Cause& cause) {
  const Access& first = Worst(report, *cause.members.front());
  std::vector<std::pair<std::string, std::pair<std::uint32_t, std::uint32_t>>> files;
  for (const Place* place : cause.members) {
    const Access& one = Worst(report, *place);
    if (!one.shown) return Where(report, first);
    const std::uint32_t line = one.shown->line;
    const auto known =
        std::ranges::find(files, one.shown->file, [](const auto& file) { return file.first; });
    if (known == files.end()) {
      files.push_back({one.shown->file, {line, line}});
    } else {
      known->second = {std::min(known->second.first, line), std::max(known->second.second, line)};
    }
  }
  std::vector<std::string> parts;
  for (const auto& [file, lines] : files) {
    const std::string path = words::Printable(words::PathShown(report, file));
    parts.push_back(lines.first == lines.second
                        ? fmt::format("{}:{}", path, lines.first)
                        : fmt::format("{}:{}–{}", path, lines.first, lines.second));
  }
  return fmt::format("{}", fmt::join(parts, " and "));
}

// "2 loads and 1 store".
std::string KindsOf(const Report& report, const findings::Cause& cause) {
  std::map<cubin::AccessKind, std::uint64_t> kinds;
  for (const Place* place : cause.members) ++kinds[Worst(report, *place).kind];
  std::vector<std::string> parts;
  for (const auto& [kind, number] : kinds) {
    parts.push_back(words::Count(number, cubin::ToString(kind), cubin::Plural(kind)));
  }
  return fmt::format("{}", fmt::join(parts, " and "));
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
  view.wastes = WastesWhat(report, place, *view.worst);
  view.worst_part = WorstPartWords(*view.worst);
  view.claim = view.wastes + " of the sectors it touches" + view.worst_part;
  view.needed = NeededWords(report, place.counts);
  view.standing = place.standing;
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
  view.wastes =
      fmt::format("{} waste {}", view.what, words::Percent(cause.whole.counts.WastedShare()));
  view.claim = view.wastes + " of the sectors they touch";
  view.needed = NeededWords(report, cause.whole.counts);
  view.standing = cause.whole.standing;
  view.details = DetailsOf(report, cause.whole, *view.worst);
  AddChange(report, first, view.details);
  return view;
}

}  // namespace coalcheck::output
