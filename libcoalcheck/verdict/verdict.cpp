// SPDX-License-Identifier: Apache-2.0
//
// The rules in the order in which they win.
#include "libcoalcheck/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "libcoalcheck/findings/sums/aggregate.h"
#include "libcoalcheck/findings/words/endings.h"
#include "libcoalcheck/findings/words/rank_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/recording/losses.h"
#include "libcoalcheck/recording/skip_reasons.h"

namespace coalcheck::verdict {
namespace {

using findings::Report;

constexpr std::uint32_t kNotWritten = 5;  // docs/exit-codes.md

std::uint64_t DroppedRecords(const Report& report) {
  Launches dropped;
  for (const findings::RecordingInfo& recording : report.recordings) {
    dropped += Launches(recording.dropped_records);
  }
  return dropped.count();
}

std::string MissingCounters(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    if (recording.missing_counters.empty()) continue;
    return fmt::format("{} lacks the counters {}", recording.name,
                       fmt::join(recording.missing_counters, " and "));
  }
  return {};
}

std::string Dropped(const Report& report) {
  const std::uint64_t dropped = DroppedRecords(report);
  if (dropped == 0) return {};
  return fmt::format("CUPTI dropped {}, so the counts are too low",
                     words::Count(dropped, "instruction record", "instruction records"));
}

std::string LostWindows(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    for (const recording::Loss& loss : recording.losses) {
      if (loss.what != recording::loss::kWindowLost) continue;
      return fmt::format("{} lost {}{}{}", recording.name,
                         words::Count(loss.count, "window", "windows"),
                         loss.detail.empty() ? "" : ": ", loss.detail);
    }
  }
  for (const recording::Skipped& skipped : words::SkippedInAll(report)) {
    if (skipped.reason != ToString(recording::Skip::kWindowLost)) continue;
    return fmt::format(
        "{} in no window that was read",
        words::Count(skipped.launches.count(), "counted launch is", "counted launches are"));
  }
  return {};
}

// The last line of a killed program's recording is cut short in the ordinary course of things, and
// the report says that it was killed.
bool MayHideAWindow(const recording::LostLines& lost, bool ended) {
  if (lost.of_killed) return false;
  switch (lost.why) {
    case recording::LineLoss::kNotJson:
    case recording::LineLoss::kTooLong:
    case recording::LineLoss::kTooDeep:
    case recording::LineLoss::kBadField:
    case recording::LineLoss::kNotAsWritten:
    case recording::LineLoss::kDuplicateWindow:
      return true;
    case recording::LineLoss::kCutShort:
      return ended;
    case recording::LineLoss::kUnknownRecord:
    case recording::LineLoss::kDuplicatePcSampling:
    case recording::LineLoss::kSecondHeader:
    case recording::LineLoss::kTooManySources:
      return false;
  }
  return true;
}

// A window is written before it is counted among those that closed.
std::string WindowsMissing(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    if (recording.end) continue;
    if (recording.is_progress_damaged) {
      return recording.name + " does not say how many closed: its file progress is damaged";
    }
    if (!recording.progress) continue;
    const std::uint64_t closed = recording.progress->windows;
    if (closed <= recording.windows) continue;
    return fmt::format("{} holds {} of the {} that closed", recording.name,
                       words::Grouped(recording.windows),
                       words::Count(closed, "window", "windows"));
  }
  return {};
}

std::string NoEndOfRanks(const findings::RecordingInfo& recording) {
  for (const findings::EndedAlike& alike : recording.endings) {
    if (alike.ending.said_so) continue;
    return fmt::format("{}: {} without an end{} (--require-end)", recording.name,
                       words::Count(alike.ending.processes, "process", "processes"),
                       alike.ranks.empty() ? "" : ", " + words::Ranks(alike.ranks));
  }
  return {};
}

std::string NoEnd(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    if (std::string why = NoEndOfRanks(recording); report.require_end && !why.empty()) return why;
    if (recording.end || !report.require_end) continue;
    return fmt::format("{} {} (--require-end)", recording.name, findings::HowItEnded(recording));
  }
  return {};
}

std::string NotAsWritten(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    for (const recording::LostLines& lost : recording.lost_lines) {
      if (lost.why != recording::LineLoss::kNotAsWritten) continue;
      return fmt::format("{} is not as it was written: {} (end, line {})", recording.name,
                         lost.first_detail, lost.first_line);
    }
  }
  return {};
}

std::string LostLines(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    for (const recording::LostLines& lost : recording.lost_lines) {
      if (!MayHideAWindow(lost, recording.end.has_value())) continue;
      return fmt::format("{} has {} that could not be used: {} (line {})", recording.name,
                         words::Count(lost.lines, "line", "lines"), ToString(lost.why),
                         lost.first_line);
    }
  }
  return {};
}

std::string NotRead(const Report& report) {
  if (report.unreadable.empty()) return {};
  const auto& [name, why] = report.unreadable[0];
  return why.starts_with(name) ? why : fmt::format("{} could not be read: {}", name, why);
}

// A merged recording is written at once: without an end it is damaged, not a run that was killed.
std::string NotMergedToItsEnd(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    if (!recording.is_merged() || recording.end) continue;
    return fmt::format("{} {}", recording.name, findings::HowItEnded(recording));
  }
  return {};
}

std::string TooFewRanks(const Report& report) {
  if (!report.job || !report.job->min_ranks) return {};
  const auto lack = findings::FirstShort(*report.job, *report.job->min_ranks);
  if (!lack) return {};
  return fmt::format(
      "{}{} recorded, at least {} are required (min-ranks)", words::Grouped(lack->recorded),
      lack->expected == 0 ? " ranks"
                          : fmt::format(" of {}", words::Count(lack->expected, "rank", "ranks")),
      words::Grouped(lack->asked));
}

std::string NotAttributed(const Report& report) {
  for (const findings::Unattributed& row : report.unattributed) {
    if (row.counts.sectors == Sectors(0)) continue;
    return fmt::format("{} of {} not attributed: {}",
                       words::Count(row.counts.sectors.count(), "sector", "sectors"),
                       words::PrintableName(row.function), findings::ToString(row.cause));
  }
  return {};
}

// The first that holds; empty when none does.
std::string FirstOf(std::initializer_list<std::string (*)(const Report&)> reasons,
                    const Report& report) {
  for (const auto reason : reasons) {
    if (std::string why = reason(report); !why.empty()) return why;
  }
  return {};
}

// Why counts that were collected may be missing.
std::string WhyCountsLack(const Report& report) {
  return FirstOf({NotRead, Dropped, LostWindows, WindowsMissing, NotAsWritten, LostLines,
                  NotMergedToItsEnd, NotAttributed, TooFewRanks},
                 report);
}

// Where waste may be that was not looked at; empty when it was looked at everywhere.
std::string WhyNotClean(const Report& report) {
  return FirstOf({MissingCounters, WhyCountsLack}, report);
}

std::string SkippedBecause(const Report& report) {
  std::string reasons;
  for (const recording::Skipped& skipped : words::SkippedInAll(report)) {
    reasons += fmt::format("{}{} {}", reasons.empty() ? ": " : ", ", skipped.launches.count(),
                           words::SkipReason(skipped.reason));
  }
  return reasons;
}

// Tallies are written at the end: without one, that no launch is recorded does not mean that there
// was none.
std::string WhyNoLaunch(const Report& report) {
  if (report.recordings.empty()) return "no process of the program made a recording";
  for (const findings::RecordingInfo& recording : report.recordings) {
    if (recording.end) continue;
    return fmt::format("no launch was recorded before {} {}{}", recording.name,
                       findings::HowItEnded(recording), findings::LaunchesSeen(recording));
  }
  return "no kernel was launched";
}

std::string WhyNothing(const Report& report) {
  if (std::string missing = MissingCounters(report); !missing.empty()) return missing;
  if (report.launches == Launches(0)) return WhyNoLaunch(report);
  if (report.launches_checked == Launches(0)) {
    return fmt::format("{} seen, none counted{}",
                       words::Count(report.launches.count(), "launch", "launches"),
                       SkippedBecause(report));
  }
  if (!report.unattributed.empty()) {
    return fmt::format("no count could be given to an access: of {}, {}",
                       words::PrintableName(report.unattributed[0].function),
                       findings::ToString(report.unattributed[0].cause));
  }
  return fmt::format("{} counted, without a single access to global memory",
                     words::Count(report.launches_checked.count(), "launch", "launches"));
}

Verdict JudgePredicted(const findings::PredictionSummary& prediction) {
  const auto of_all = fmt::format("{} of {}", words::Grouped(prediction.unknown),
                                  words::Count(prediction.accesses(), "access", "accesses"));
  if (prediction.judged() == 0) {
    if (prediction.accesses() > 0) return {Outcome::kNothingChecked, of_all + " unknown"};
    return {Outcome::kNothingChecked,
            prediction.without_ptx == 0
                ? "no access to global memory was found"
                : fmt::format("the code carries neither lines nor PTX of its {} (-lineinfo)",
                              words::Count(prediction.without_ptx, "access", "accesses"))};
  }
  if (!prediction.launches_lack.empty()) {
    return {Outcome::kCouldNotCollect, prediction.launches_lack, false, true};
  }
  if (prediction.most_unknown_share < 1 && !prediction.code_lacks.empty()) {
    return {Outcome::kNothingChecked, prediction.code_lacks + " (max-unknown)"};
  }
  const double share =
      static_cast<double>(prediction.unknown) / static_cast<double>(prediction.accesses());
  if (share > prediction.most_unknown_share) {
    return {Outcome::kNothingChecked,
            fmt::format("{} unknown, at most {} is allowed (max-unknown)", of_all,
                        words::Percent(prediction.most_unknown_share))};
  }
  return {Outcome::kClean, ""};
}

// Where counters were to be had, or more went wrong, it is not this machine that cannot collect.
Verdict JudgeNotCollected(const Report& report, std::string failure) {
  if (!report.allow_unavailable || IsUnavailable(report)) {
    return {Outcome::kCouldNotCollect, std::move(failure), report.allow_unavailable};
  }
  std::string other = FirstOf({NoEnd, WhyNotClean}, report);
  return {Outcome::kCouldNotCollect, other.empty() ? std::move(failure) : std::move(other), false,
          report.launches_checked > Launches(0)};
}

}  // namespace

std::string_view ToString(Outcome outcome) {
  switch (outcome) {
    case Outcome::kClean:
      return "clean";
    case Outcome::kFindings:
      return "findings";
    case Outcome::kNothingChecked:
      return "nothing checked";
    case Outcome::kCouldNotCollect:
      return "could not collect";
  }
  return "unknown";
}

std::string_view Headline(const Verdict& verdict) {
  return verdict.in_part ? "not all could be judged" : ToString(verdict.outcome);
}

// What the agent said when it gave up.
std::string WhyNotCollected(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    for (const recording::Loss& loss : recording.losses) {
      if (loss.what != recording::loss::kCouldNotCollect) continue;
      return loss.detail.empty() ? "the program's agent gave no reason" : loss.detail;
    }
  }
  return {};
}

bool IsUnavailable(const Report& report) {
  return report.launches_checked == Launches(0) && !WhyNotCollected(report).empty() &&
         FirstOf({NoEnd, WhyNotClean}, report).empty();
}

std::string WhyIncomplete(const Report& report) {
  if (report.prediction) return report.prediction->launches_lack;
  return FirstOf({WhyNotCollected, MissingCounters, NoEnd, WhyCountsLack}, report);
}

std::string WhyLaunchesLack(std::vector<findings::RecordingInfo> recordings, bool require_end) {
  Report report;
  report.recordings = std::move(recordings);
  report.require_end = require_end;
  return FirstOf(
      {WhyNotCollected, NoEnd, WindowsMissing, NotAsWritten, LostLines, NotMergedToItsEnd}, report);
}

Verdict Judge(const Report& report) {
  if (std::ranges::any_of(report.places, &findings::Place::is_finding)) {
    return {Outcome::kFindings, ""};
  }
  if (report.prediction) return JudgePredicted(*report.prediction);
  if (std::string failure = WhyNotCollected(report); !failure.empty()) {
    return JudgeNotCollected(report, std::move(failure));
  }
  if (std::string why = NoEnd(report); !why.empty()) {
    return {Outcome::kCouldNotCollect, std::move(why), false, true};
  }
  if (report.accesses.empty()) return {Outcome::kNothingChecked, WhyNothing(report)};
  if (std::string why = WhyNotClean(report); !why.empty()) {
    return {Outcome::kCouldNotCollect, std::move(why), false, true};
  }
  if (report.launches_checked < report.min_launches) {
    return {Outcome::kNothingChecked,
            fmt::format("{} checked, at least {} are required (min-launches)",
                        words::Count(report.launches_checked.count(), "launch", "launches"),
                        words::Grouped(report.min_launches.count()))};
  }
  return {Outcome::kClean, ""};
}

int ExitCode(const Verdict& verdict) {
  return verdict.tolerated ? 0 : static_cast<int>(verdict.outcome);
}

std::string_view ToString(ShellSees::Decider decider) {
  switch (decider) {
    case ShellSees::Decider::kProgram:
      return "program";
    case ShellSees::Decider::kVerdict:
      return "verdict";
    case ShellSees::Decider::kExitZero:
      return "exit-zero";
    case ShellSees::Decider::kNotWritten:
      return "not written";
  }
  return "unknown";
}

ShellSees Decide(const findings::Launch& launch, const Verdict& verdict, bool written) {
  if (launch.end.number != 0) {
    return {launch.end.kind, launch.end.number, ShellSees::Decider::kProgram};
  }
  if (!written) return {recording::EndKind::kExit, kNotWritten, ShellSees::Decider::kNotWritten};
  const auto code = static_cast<std::uint32_t>(ExitCode(verdict));
  if (code != 0 && launch.exit_zero) {
    return {recording::EndKind::kExit, 0, ShellSees::Decider::kExitZero};
  }
  return {recording::EndKind::kExit, code, ShellSees::Decider::kVerdict};
}

}  // namespace coalcheck::verdict
