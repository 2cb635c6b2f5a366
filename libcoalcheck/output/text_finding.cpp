// SPDX-License-Identifier: Apache-2.0
//
// Where it is, the source line, who runs it, what the counts say, how it came to be there.
#include "libcoalcheck/output/text_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "libcoalcheck/findings/estimate.h"
#include "libcoalcheck/findings/places.h"
#include "libcoalcheck/findings/words.h"
#include "libcoalcheck/findings/worst_part.h"
#include "libcoalcheck/output/text_code.h"
#include "libcoalcheck/output/text_cost.h"
#include "libcoalcheck/output/text_patterns.h"
#include "libcoalcheck/output/text_policy.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

constexpr std::size_t kMaxSourceWidth = 200;
constexpr std::size_t kMaxFrames = 8;

std::string Where(const Report& report, const Access& access) {
  if (access.shown) {
    return fmt::format("{}:{}", words::Printable(words::PathShown(report, access.shown->file)),
                       access.shown->line);
  }
  return fmt::format("{}: pc 0x{:x}", words::ShortName(access.kernel),
                     access.instructions.front().pc.value());
}

// Of the instantiations whose counts the place sums; the first of those that are equal.
const Access& Worst(const Report& report, const Place& place) {
  const Access* worst = &report.accesses[place.accesses.front()];
  for (std::size_t i = 1; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (access.counts.WastedShare() > worst->counts.WastedShare()) worst = &access;
  }
  return *worst;
}

// "87.5 %", or "50 to 87.5 %" where instantiations differ.
std::string Shares(const Report& report, const Place& place, const Access& worst) {
  double least = worst.counts.WastedShare();
  for (std::size_t i = 0; i < place.counted; ++i) {
    least = std::min(least, report.accesses[place.accesses[i]].counts.WastedShare());
  }
  const std::string most = words::Percent(worst.counts.WastedShare());
  std::string lowest = words::Percent(least);
  if (lowest == most) return most;
  lowest.resize(lowest.rfind(' '));
  return lowest + " to " + most;
}

std::string WastesWhat(const Report& report, const Place& place, const Access& worst) {
  return fmt::format("{} wastes {}", cubin::ToString(worst.kind), Shares(report, place, worst));
}

constexpr std::string_view kOfWhat = " of the sectors it touches";

// "; the worst of its 3 loads wastes 20 %", where the line as a whole hides that.
std::string WorstPartWords(const Access& access) {
  const auto worst = findings::WorstPartOf(access);
  if (!worst) return {};
  const std::string share = words::Percent(worst->counts.WastedShare());
  if (share == words::Percent(access.counts.WastedShare())) return {};
  return fmt::format("; the worst of its {} {} wastes {}", worst->of, cubin::Plural(access.kind),
                     share);
}

std::string HeadLine(const Report& report, const Place& place, const Access& access,
                     const Style& style) {
  return fmt::format("{} {}{}{}\n", style.Bold(Where(report, access) + ":"),
                     style.Bad(WastesWhat(report, place, access)), kOfWhat, WorstPartWords(access));
}

std::string SourceLine(const Access& access, cubin::SourceText& sources) {
  if (!access.shown) return {};
  const auto line = sources.Line(access.shown->file, access.shown->line);
  if (!line) return {};
  std::string_view text = *line;
  const bool cut = text.size() > kMaxSourceWidth;
  if (cut) text = text.substr(0, kMaxSourceWidth);
  return fmt::format("{:>5} | {}{}\n", access.shown->line, words::Printable(text), cut ? " …" : "");
}

std::string KernelLine(const Report& report, const Place& place, const Access& access) {
  const Requests requests = place.counts.requests;
  const findings::Coverage coverage = findings::CoverageOf(report, place);
  if (access.predicted) {
    const std::string& assumed = access.predicted->assumed;
    return fmt::format("   {} {}  predicted for {}\n", access.is_kernel ? "kernel" : "function",
                       words::ShortName(access.kernel),
                       assumed.empty() ? "every launch" : words::Printable(assumed));
  }
  std::string line =
      fmt::format("   {} {}  checked {} of {}", access.is_kernel ? "kernel" : "function",
                  words::ShortName(access.kernel), words::Grouped(coverage.checked.count()),
                  words::Count(coverage.all.count(), "launch", "launches"));
  if (report.present.requests) {
    line += ", " + words::Count(requests.count(), "request", "requests");
  }
  line += '\n';
  if (place.counted > 1) {
    line +=
        fmt::format("   and {} of this kernel\n",
                    words::Count(place.counted - 1, "more instantiation", "more instantiations"));
  }
  return line;
}

std::string Plural(double number, std::string_view one) {
  return fmt::format("{} {}{}", words::Average(number), one, number == 1 ? "" : "s");
}

// "4", "4 or 16".
std::string Widths(const Report& report, const Place& place) {
  std::set<std::uint64_t> widths;
  for (std::size_t i = 0; i < place.counted; ++i) {
    for (const findings::Instruction& one : report.accesses[place.accesses[i]].instructions) {
      if (one.width.count() > 0) widths.insert(one.width.count());
    }
  }
  return fmt::format("{}", fmt::join(widths, " or "));
}

// " (32 lanes of 4 bytes)", as far as it is known.
std::string LanesAndWidth(const Report& report, const Place& place) {
  const std::string widths = Widths(report, place);
  const std::string bytes = widths == "1" ? "1 byte" : widths + " bytes";
  if (!report.present.lanes) return widths.empty() ? "" : fmt::format(" ({} per lane)", bytes);
  const double lanes = Per(place.counts.lanes, place.counts.requests);
  return fmt::format(" ({}{}{})", Plural(lanes, "lane"), widths.empty() ? "" : " of ",
                     widths.empty() ? "" : bytes);
}

// Whether every request can have touched the same: no count divides with a remainder.
bool MayBeAlike(const Report& report, const findings::Counts& counts) {
  const std::uint64_t requests = counts.requests.count();
  return counts.sectors.count() % requests == 0 && counts.ideal.count() % requests == 0 &&
         (!report.present.lines || counts.lines.count() % requests == 0);
}

std::string NumbersLine(const Report& report, const Place& place) {
  const findings::Counts& counts = place.counts;
  if (!report.present.requests || counts.requests == Requests(0)) {
    return fmt::format("   {} sectors touched; {} would do\n", words::Short(counts.sectors.count()),
                       words::Short(counts.ideal.count()));
  }
  std::string line =
      fmt::format("   each request touches {}{}", MayBeAlike(report, counts) ? "" : "on average ",
                  Plural(Per(counts.sectors, counts.requests), "sector"));
  if (report.present.lines) {
    line += " in " + Plural(Per(counts.lines, counts.requests), "line");
  }
  return line + fmt::format("; {} would do{}\n", words::Average(Per(counts.ideal, counts.requests)),
                            LanesAndWidth(report, place));
}

std::string EstimateLine(const Report& report, const Place& place) {
  const std::optional<findings::Estimate> estimate = findings::EstimateOf(report, place);
  if (!estimate) return {};
  return fmt::format(
      "   estimate: {} sectors wasted in all {}, if the others do as the {} checked\n",
      words::Short(estimate->wasted.count()),
      words::Count(estimate->launches.count(), "launch", "launches"),
      words::Grouped(estimate->checked.count()));
}

std::string FrameText(const Report& report, const findings::Frame& frame) {
  return fmt::format("{}:{}", words::Printable(words::PathShown(report, frame.file)), frame.line);
}

// From the instruction outwards; nothing when the line is the kernel's own.
std::string ChainLine(const Report& report, const Access& access) {
  if (access.chain.size() < 2) return {};
  std::string line = "   inlined: ";
  for (std::size_t i = 0; i < access.chain.size(); ++i) {
    if (i == kMaxFrames && access.chain.size() > kMaxFrames + 1) {
      line += fmt::format(" <- … {} more", access.chain.size() - i);
      break;
    }
    if (i > 0) line += " <- ";
    line += FrameText(report, access.chain[i]);
  }
  return line + '\n';
}

// The lines under the head and the source.
std::string DetailLines(const Report& report, const Place& place, const Access& access) {
  return KernelLine(report, place, access) + NumbersLine(report, place) +
         EstimateLine(report, place) + CostText(report, place) + StandingText(place) +
         ChainLine(report, access) + AddressLine(access) + PatternText(report, place);
}

}  // namespace

FindingWords WordsOf(const Report& report, const Place& place) {
  FindingWords words;
  words.worst = &Worst(report, place);
  words.where = Where(report, *words.worst);
  words.claim = WastesWhat(report, place, *words.worst).append(kOfWhat);
  words.claim += WorstPartWords(*words.worst);
  const std::string lines = DetailLines(report, place, *words.worst);
  for (std::string_view rest = lines; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    words.details.emplace_back(line);
  }
  return words;
}

std::string FindingText(const Report& report, const Place& place, cubin::SourceText& sources,
                        const Style& style) {
  const Access& access = Worst(report, place);
  return HeadLine(report, place, access, style) + SourceLine(access, sources) +
         DetailLines(report, place, access);
}

}  // namespace coalcheck::output
