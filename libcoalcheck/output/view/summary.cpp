// SPDX-License-Identifier: Apache-2.0
//
// "coalcheck: 1 finding (1 store), 3 accesses clean, …"
#include "libcoalcheck/output/view/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/endings.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/output/view/scope.h"

namespace coalcheck::output {
namespace {

using findings::Report;

struct Tally {
  std::uint64_t findings = 0;  // those of one cause are one
  std::uint64_t clean = 0;
  std::map<cubin::AccessKind, std::uint64_t> kinds;
  Sectors wasted;  // by the findings
};

Tally TallyOf(const Report& report) {
  Tally tally;
  tally.findings = findings::CausesOf(report).size();
  for (const findings::Place& place : report.places) {
    if (!place.in_scope) continue;
    if (!place.is_finding) {
      if (!place.excuse) ++tally.clean;
      continue;
    }
    ++tally.kinds[report.accesses[place.accesses.front()].kind];
    tally.wasted += place.counts.Wasted();
  }
  return tally;
}

// Whether launches that were not counted will waste sectors by it, which those that were did not.
bool IsWorseUncounted(const Report& report, const findings::Place& place) {
  return place.in_scope && !place.is_finding && !place.excuse &&
         std::ranges::any_of(place.accesses, [&](std::size_t number) {
           const auto& uncounted = report.accesses[number].uncounted;
           return uncounted && uncounted->word == findings::PredictedWord::kWasteful;
         });
}

// Whether one access of a kernel is predicted in fewer launches than another.
bool IsPredictedInPart(const Report& report) {
  std::map<std::string_view, std::set<Launches>> known;
  for (const findings::Access& access : report.accesses) {
    if (access.in_scope) known[access.kernel].insert(access.launches_known());
  }
  return std::ranges::any_of(known, [](const auto& kernel) { return kernel.second.size() > 1; });
}

// ", the others predicted": what is known of launches that were not counted.
std::string Uncounted(const Report& report) {
  const Launches predicted = report.launches_predicted;
  const bool is_all = report.launches_checked + predicted >= report.launches;
  const bool is_sampled = IsSampledOnly(report) && !is_all;
  std::string text;
  if (predicted > Launches(0)) {
    text =
        fmt::format(", {} predicted{}", is_all ? "the others" : words::Grouped(predicted.count()),
                    IsPredictedInPart(report) ? " in part" : "");
  }
  const auto worse = static_cast<std::uint64_t>(std::ranges::count_if(
      report.places,
      [&](const findings::Place& place) { return IsWorseUncounted(report, place); }));
  if (worse > 0) {
    text += fmt::format(", where {} that {} clean when counted will waste sectors",
                        words::Count(worse, "access", "accesses"), worse == 1 ? "was" : "were");
  }
  return text + (is_sampled ? " (--sampling all for the rest)" : "");
}

// "counted 1 of 5 launches (--sampling all for the rest)"
std::string Coverage(const Report& report) {
  const std::string all = words::Count(report.launches.count(), "launch", "launches");
  if (report.launches_checked >= report.launches) return "counted " + all;
  const std::string text =
      fmt::format("counted {} of {}", words::Grouped(report.launches_checked.count()), all);
  return text + Uncounted(report);
}

std::string FindingsSummary(const Report& report, const Style& style) {
  const Tally tally = TallyOf(report);
  std::string kinds;
  for (const auto& [kind, number] : tally.kinds) {
    if (!kinds.empty()) kinds += ", ";
    kinds += words::Count(number, cubin::ToString(kind), cubin::Plural(kind));
  }
  const std::string excused = ExcusedText(report);
  if (!excused.empty()) kinds += "; " + excused;
  return fmt::format("{} ({}), {} clean, {} sectors wasted; {}",
                     style.Bad(words::Count(tally.findings, "finding", "findings")), kinds,
                     words::Count(tally.clean, "access", "accesses"),
                     words::Short(tally.wasted.count()), Coverage(report));
}

// What was not attributed is in no access.
Sectors JudgedSectors(const Report& report) {
  Sectors sectors;
  for (const findings::Access& access : report.accesses) {
    if (access.in_scope) sectors += access.counts.sectors;
  }
  return sectors;
}

std::string CleanSummary(const Report& report, const Style& style) {
  const std::string excused = ExcusedText(report);
  return fmt::format("{}: {}{}, {} sectors; {}{}",
                     style.Good(excused.empty() ? "every access is clean" : "no new finding"),
                     excused.empty() ? "" : excused + "; the others clean: ",
                     words::Count(TallyOf(report).clean, "access", "accesses"),
                     words::Short(JudgedSectors(report).count()), Coverage(report),
                     NotJudged(report));
}

// "predicted: 2 findings (2 loads), 5 accesses clean, 3 unknown; 7 of 10 judged".
std::string PredictionSummaryText(const Report& report, const verdict::Verdict& verdict,
                                  const Style& style) {
  const findings::PredictionSummary& prediction = *report.prediction;
  const Tally tally = TallyOf(report);
  const std::string excused = ExcusedText(report);
  std::string head;
  switch (verdict.outcome) {
    case verdict::Outcome::kFindings:
      head = style.Bad(words::Count(tally.findings, "finding", "findings"));
      break;
    case verdict::Outcome::kClean:
      head = style.Good(excused.empty() ? "no access is wasteful" : "no new finding");
      break;
    default:
      head = style.Bold(prediction.judged() == 0 ? "nothing was judged" : "too little was judged") +
             ": " + words::Printable(verdict.reason);
      if (prediction.judged() == 0) return "predicted: " + head;
  }
  std::string text =
      fmt::format("predicted: {}; of {} {} judged: {} wasteful, {} clean; {} unknown", head,
                  words::Count(prediction.accesses(), "access", "accesses"),
                  words::Grouped(prediction.judged()), words::Grouped(prediction.wasteful),
                  words::Grouped(prediction.clean), words::Grouped(prediction.unknown));
  if (prediction.by_data > 0) {
    text += fmt::format(" ({} by loaded data)", words::Grouped(prediction.by_data));
  }
  if (prediction.by_comment > 0) {
    text += fmt::format("; {} judged for launches that comments in the source name",
                        words::Grouped(prediction.by_comment));
  }
  if (prediction.without_ptx > 0) {
    text += fmt::format("; {} more in code without lines and PTX",
                        words::Grouped(prediction.without_ptx));
  }
  if (!excused.empty()) text += "; " + excused;
  return text + NotJudged(report);
}

std::string Summary(const Report& report, const verdict::Verdict& verdict, const Style& style) {
  if (report.prediction) return PredictionSummaryText(report, verdict, style);
  switch (verdict.outcome) {
    case verdict::Outcome::kFindings:
      return FindingsSummary(report, style);
    case verdict::Outcome::kClean:
      return CleanSummary(report, style);
    case verdict::Outcome::kNothingChecked:
      return style.Bold(report.accesses.empty() ? "nothing was checked"
                                                : "too little was checked") +
             ": " + words::Printable(verdict.reason);
    case verdict::Outcome::kCouldNotCollect:
      return style.Bold(verdict::Headline(verdict)) + ": " + words::Printable(verdict.reason) +
             (verdict.tolerated ? "; allowed (--allow-unavailable)" : "");
  }
  return {};
}

// Whose exit code it is that a shell sees after a launch.
std::string Decision(const Report& report, const verdict::Verdict& verdict, bool written) {
  if (!report.launch) return {};
  const verdict::ShellSees sees = verdict::Decide(*report.launch, verdict, written);
  if (sees.kind == recording::EndKind::kSignal) {
    return fmt::format("; ended by {}, as the program was", findings::SignalName(sees.number));
  }
  switch (sees.decider) {
    case verdict::ShellSees::Decider::kProgram:
      return fmt::format("; exit code {} is the program's own", sees.number);
    case verdict::ShellSees::Decider::kVerdict:
      return fmt::format("; exit code {} is the verdict", sees.number);
    case verdict::ShellSees::Decider::kExitZero:
      return fmt::format("; exit code {} because of --exit-zero", sees.number);
    case verdict::ShellSees::Decider::kNotWritten:
      return fmt::format("; exit code {} because the report could not be written", sees.number);
  }
  return {};
}

}  // namespace

std::string SummaryLine(const Report& report, const verdict::Verdict& verdict, const Style& style,
                        bool written) {
  return fmt::format("coalcheck: {}{}", Summary(report, verdict, style),
                     Decision(report, verdict, written));
}

}  // namespace coalcheck::output
