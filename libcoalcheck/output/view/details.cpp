// SPDX-License-Identifier: Apache-2.0
//
// Who runs it, what the counts say, how it came to be there, by which pattern; what to do.
#include "libcoalcheck/output/view/details.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "libcoalcheck/findings/places/estimate.h"
#include "libcoalcheck/findings/places/places.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/code.h"
#include "libcoalcheck/output/view/cost.h"
#include "libcoalcheck/output/view/patterns.h"
#include "libcoalcheck/output/view/policy.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

constexpr std::size_t kMaxFrames = 8;
constexpr std::size_t kMostTextShown = 120;  // of a line of Python

std::string AssumedWords(const Access& access) {
  const std::string& assumed = access.predicted->assumed;
  return assumed.empty() ? "every launch" : words::Printable(assumed);
}

// Also of what was predicted, and of how many instantiations.
std::string LaunchesWords(const Report& report, const Place& place, const Access& access) {
  if (access.predicted) return "predicted for " + AssumedWords(access);
  const findings::Coverage coverage = findings::CoverageOf(report, place);
  std::string words = fmt::format("checked {} of {}", words::Grouped(coverage.checked.count()),
                                  words::Count(coverage.all.count(), "launch", "launches"));
  if (report.present.requests) {
    words += ", " + words::Count(place.counts.requests.count(), "request", "requests");
  }
  return words;
}

void AddKernel(const Report& report, const Place& place, const Access& access, Details& details) {
  Add(About::kKernel,
      fmt::format("{} {}  {}", access.is_kernel ? "kernel" : "function",
                  words::ShortName(access.kernel), LaunchesWords(report, place, access)),
      details);
  if (access.predicted) return;
  std::set<std::string_view> others;
  for (std::size_t i = 0; i < place.counted; ++i) {
    others.insert(report.accesses[place.accesses[i]].kernel);
  }
  others.erase(access.kernel);
  if (others.empty()) return;
  Add(About::kKernel,
      fmt::format("and {} of this kernel",
                  words::Count(others.size(), "more instantiation", "more instantiations")),
      details);
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

// Whether all requests can have touched equally many sectors and lines: no count leaves a
// remainder.
bool MayBeAlike(const Report& report, const findings::Counts& counts) {
  const std::uint64_t requests = counts.requests.count();
  return counts.sectors.count() % requests == 0 && counts.ideal.count() % requests == 0 &&
         (!report.present.lines || counts.lines.count() % requests == 0);
}

std::string NumbersSentence(const Report& report, const Place& place) {
  const findings::Counts& counts = place.counts;
  if (!report.present.requests || counts.requests == Requests(0)) {
    return fmt::format("{} sectors touched; {} would do", words::Short(counts.sectors.count()),
                       words::Short(counts.ideal.count()));
  }
  std::string line =
      fmt::format("each request touches {}{}", MayBeAlike(report, counts) ? "" : "on average ",
                  Plural(Per(counts.sectors, counts.requests), "sector"));
  if (report.present.lines) {
    line += " in " + Plural(Per(counts.lines, counts.requests), "line");
  }
  return line + fmt::format("; {} would do{}", words::Average(Per(counts.ideal, counts.requests)),
                            LanesAndWidth(report, place));
}

std::string EstimateSentence(const Report& report, const Place& place) {
  const std::optional<findings::Estimate> estimate = findings::EstimateOf(report, place);
  if (!estimate) return {};
  const Launches predicted = estimate->predicted;
  return fmt::format(
      "estimate: {} sectors wasted in all {}, if the others are like the {} checked{}",
      words::Short(estimate->wasted.count()),
      words::Count(estimate->launches.count(), "launch", "launches"),
      words::Grouped(estimate->checked.count()),
      predicted == Launches(0)
          ? ""
          : fmt::format(" and {} predicted", words::Grouped(predicted.count())));
}

// Of the instantiations that the place counts.
std::string UncountedSentence(const Report& report, const Place& place) {
  findings::PredictedLaunches sum;
  for (std::size_t i = 0; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (!access.uncounted) continue;
    sum.launches += access.uncounted->launches;
    sum.counts += access.uncounted->counts;
  }
  if (sum.launches == Launches(0)) return {};
  return fmt::format("predicted: {} that {} not counted waste{} {} sectors, {:.1f} %",
                     words::Count(sum.launches.count(), "launch", "launches"),
                     sum.launches == Launches(1) ? "was" : "were",
                     sum.launches == Launches(1) ? "s" : "",
                     words::Short(sum.counts.Wasted().count()), sum.counts.WastedShare() * 100);
}

std::string FrameText(const Report& report, const findings::Frame& frame) {
  return fmt::format("{}:{}", words::Printable(words::PathShown(report, frame.file)), frame.line);
}

// From the instruction outwards; nothing when the line is the kernel's own.
std::string ChainSentence(const Report& report, const Access& access) {
  if (access.chain.size() < 2) return {};
  std::string line = "inlined: ";
  for (std::size_t i = 0; i < access.chain.size(); ++i) {
    if (i == kMaxFrames && access.chain.size() > kMaxFrames + 1) {
      line += fmt::format(" <- … {} more", access.chain.size() - i);
      break;
    }
    if (i > 0) line += " <- ";
    line += FrameText(report, access.chain[i]);
  }
  return line;
}

// Of which Python a compiler made its line.
std::string MadeFromSentence(const Report& report, const Access& access) {
  if (access.made_from.empty()) return {};
  const auto& [frame, text] = access.made_from.front();
  std::string words = fmt::format("made from {}:{} in {}", words::PathShown(report, frame.file),
                                  frame.line, frame.function);
  if (access.made_from.size() > 1) {
    words += fmt::format(" and {}",
                         words::Count(access.made_from.size() - 1, "other line", "other lines"));
  }
  if (!text.empty()) words += ": " + text.substr(0, kMostTextShown);
  return words::Printable(words);
}

}  // namespace

std::string Lines(const Details& details) {
  std::string lines;
  for (const Detail& detail : details) lines += fmt::format("   {}\n", detail.text);
  return lines;
}

std::string LinesAbout(About about, const Details& details) {
  Details said;
  for (const Detail& detail : details) {
    if (detail.about == about) said.push_back(detail);
  }
  return Lines(said);
}

Details DetailsOf(const Report& report, const Place& place, const Access& access) {
  Details details;
  AddKernel(report, place, access, details);
  Add(About::kCounts, NumbersSentence(report, place), details);
  Add(About::kEstimate, UncountedSentence(report, place), details);
  Add(About::kEstimate, EstimateSentence(report, place), details);
  Add(About::kCost, CostSentence(report, place), details);
  Add(About::kBaseline, StandingSentence(place), details);
  Add(About::kInlined, ChainSentence(report, access), details);
  Add(About::kMadeFrom, MadeFromSentence(report, access), details);
  Add(About::kAddress, AddressSentence(access), details);
  for (Detail& detail : PatternDetails(report, place)) details.push_back(std::move(detail));
  return details;
}

Details AssumedDetails(const Access& access) {
  if (!access.predicted) return {};
  return {{About::kAssumed, "predicted for " + AssumedWords(access)}};
}

Details NeedsDetails(const Report& report, const Place& place) {
  const words::MoveWords moves = words::MovesFor(report, words::WorstOf(report, place));
  if (moves.needs.empty()) return {};
  return {{About::kNeeds, "the fix needs " + moves.needs}};
}

Details ChangeDetails(const Report& report, const Place& place) {
  const std::size_t worst = words::WorstOf(report, place);
  const Access& access = report.accesses[worst];
  const words::MoveWords moves = words::MovesFor(report, worst);
  Details details;
  if (!moves.helps && moves.tried > 0) {
    Add(About::kChange,
        fmt::format("fix: nothing that was tried ({}) lowers the sectors of {}",
                    words::Count(moves.tried, "change", "changes"),
                    moves.helps_others ? fmt::format("this {}", cubin::ToString(access.kind))
                                       : "the kernel"),
        details);
  }
  if (!moves.fix.empty()) Add(About::kChange, "fix: " + moves.fix, details);
  if (!moves.rejected.empty()) Add(About::kChange, "not: " + moves.rejected, details);
  // What usually helps is among what was tried, unless something kept it from being tried.
  const bool is_tried = moves.tried > 0 && moves.not_tried.empty();
  const std::string advice = moves.helps || is_tried ? "" : UsualAdvice(report, place);
  if (advice.empty()) return details;
  const std::string why =
      moves.not_tried.empty() ? "" : fmt::format(" (not tried: {})", moves.not_tried);
  Add(About::kChange, fmt::format("suggestion{}: {}", why, advice), details);
  return details;
}

}  // namespace coalcheck::output
