// SPDX-License-Identifier: Apache-2.0
//
// Who runs it, what the counts say, how it came to be there, by which pattern; what to do.
#include "libcoalcheck/output/text_details.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "libcoalcheck/findings/estimate.h"
#include "libcoalcheck/findings/move_words.h"
#include "libcoalcheck/findings/places.h"
#include "libcoalcheck/findings/words.h"
#include "libcoalcheck/output/text_code.h"
#include "libcoalcheck/output/text_cost.h"
#include "libcoalcheck/output/text_patterns.h"
#include "libcoalcheck/output/text_policy.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

constexpr std::size_t kMaxFrames = 8;

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

}  // namespace

std::string DetailText(const Report& report, const Place& place, const Access& access) {
  return KernelLine(report, place, access) + NumbersLine(report, place) +
         EstimateLine(report, place) + CostText(report, place) + StandingText(place) +
         ChainLine(report, access) + AddressLine(access) + PatternText(report, place);
}

std::string AssumedText(const Access& access) {
  if (!access.predicted) return {};
  const std::string& assumed = access.predicted->assumed;
  return fmt::format("   predicted for {}\n",
                     assumed.empty() ? "every launch" : words::Printable(assumed));
}

std::string NeedsText(const Report& report, const Place& place) {
  const words::MoveWords moves = words::MovesFor(report, words::WorstOf(report, place));
  return moves.needs.empty() ? "" : fmt::format("   the fix needs {}\n", moves.needs);
}

std::string ChangesText(const Report& report, const Place& place) {
  const words::MoveWords moves = words::MovesFor(report, words::WorstOf(report, place));
  std::string text;
  if (!moves.fix.empty()) text += fmt::format("   fix: {}\n", moves.fix);
  if (!moves.rejected.empty()) text += fmt::format("   not: {}\n", moves.rejected);
  if (moves.helps) return text;
  if (moves.tried > 0) {
    text = fmt::format("   fix: nothing that was tried ({}) lowers the sectors of the kernel\n",
                       words::Count(moves.tried, "change", "changes")) +
           text;
  }
  // What usually helps is among what was tried, unless something kept it from being tried.
  const bool is_tried = moves.tried > 0 && moves.not_tried.empty();
  const std::string advice = is_tried ? "" : UsualAdvice(report, place);
  if (advice.empty()) return text;
  const std::string why =
      moves.not_tried.empty() ? "" : fmt::format(" (not tried: {})", moves.not_tried);
  return text + fmt::format("   suggestion{}: {}\n", why, advice);
}

}  // namespace coalcheck::output
