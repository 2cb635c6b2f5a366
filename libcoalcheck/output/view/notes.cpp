// SPDX-License-Identifier: Apache-2.0
//
// The notes, from the ordinary to the alarming.
#include "libcoalcheck/output/view/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "libcoalcheck/findings/places/unmatched.h"
#include "libcoalcheck/findings/words/endings.h"
#include "libcoalcheck/findings/words/rank_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/code.h"
#include "libcoalcheck/output/view/cost.h"
#include "libcoalcheck/output/view/fetched_again.h"
#include "libcoalcheck/output/view/job.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/output/view/scope.h"
#include "libcoalcheck/recording/losses.h"
#include "libcoalcheck/recording/skip_reasons.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::output {
namespace {

using findings::KernelCoverage;
using findings::RecordingInfo;
using findings::Report;

class Notes {
 public:
  void Add(std::string note) { notes_.push_back(std::move(note)); }
  // Adds at most kMostRows of `rows`.
  void AddRows(const std::vector<std::string>& rows, std::string_view what) {
    for (std::size_t i = 0; i < rows.size() && i < kMostRows; ++i) Add(rows[i]);
    if (rows.size() > kMostRows) {
      Add(fmt::format("… and {} more {}", words::Grouped(rows.size() - kMostRows), what));
    }
  }
  std::vector<std::string> Take() && { return std::move(notes_); }

 private:
  std::vector<std::string> notes_;
};

std::string Reasons(const std::vector<recording::Skipped>& skipped) {
  std::string reasons;
  for (const recording::Skipped& one : skipped) {
    if (!reasons.empty()) reasons += ", ";
    reasons +=
        fmt::format("{} {}", words::Grouped(one.launches.count()), words::SkipReason(one.reason));
  }
  return reasons;
}

void AddCoverage(const Report& report, Notes& notes) {
  // Where sampling alone decided, the summary says so.
  if (report.launches > report.launches_checked && !IsSampledOnly(report)) {
    const std::string reasons = Reasons(words::SkippedInAll(report));
    notes.Add(fmt::format("{} of {} not counted{}{}",
                          words::Grouped((report.launches - report.launches_checked).count()),
                          words::Count(report.launches.count(), "launch", "launches"),
                          reasons.empty() ? "" : ": ", reasons));
  }
}

void AddNeverCounted(const Report& report, Notes& notes) {
  std::vector<std::string> rows;
  for (const KernelCoverage& kernel : report.kernels) {
    if (kernel.launches == Launches(0) || kernel.checked > Launches(0)) continue;
    const std::string reasons = Reasons(kernel.skipped);
    rows.push_back(fmt::format("never counted: {} ({}{}{})", words::ShortName(kernel.kernel),
                               words::Count(kernel.launches.count(), "launch", "launches"),
                               reasons.empty() ? "" : ": ", reasons));
  }
  notes.AddRows(rows, "kernels that were never counted");
}

void AddSilentKernels(const Report& report, Notes& notes) {
  std::vector<std::string> rows;
  for (const KernelCoverage& kernel : report.kernels) {
    const bool copies_in_bulk = std::ranges::any_of(
        report.bulk_copies,
        [&kernel](const findings::BulkCopies& row) { return row.kernel == kernel.kernel; });
    if (!kernel.counted_nothing || copies_in_bulk) continue;
    rows.push_back(fmt::format("no access to global memory in {} counted of {}",
                               words::Count(kernel.checked.count(), "launch", "launches"),
                               words::ShortName(kernel.kernel)));
  }
  notes.AddRows(rows, "kernels without a counted access");
}

void AddLocalMemory(const Report& report, Notes& notes) {
  notes.AddRows(LocalMemoryNotes(report), "kernels with local memory");
  notes.AddRows(BulkCopyNotes(report), "kernels with bulk copies");
}

void AddUnattributed(const Report& report, Notes& notes) {
  std::vector<std::string> rows;
  for (const findings::Unattributed& row : report.unattributed) {
    rows.push_back(fmt::format("{} of {} not attributed: {} ({}{}{})",
                               words::Count(row.counts.sectors.count(), "sector", "sectors"),
                               words::ShortName(row.function), findings::ToString(row.cause),
                               words::Count(row.instructions, "instruction", "instructions"),
                               row.detail.empty() ? "" : "; ", words::Printable(row.detail)));
  }
  notes.AddRows(rows, "functions with counts that were not attributed");
}

// Whose loss it is, as a merged recording says it.
std::string OfRanks(const recording::RankSet& ranks) {
  return ranks.empty() ? "" : ", " + words::Ranks(ranks);
}

void AddLosses(const RecordingInfo& recording, Notes& notes) {
  const std::string name = words::Printable(recording.name);
  std::vector<std::string> rows;
  for (const recording::LostLines& lost : recording.lost_lines) {
    rows.push_back(fmt::format("{}: {} not used: {} (line {}{}{})", name,
                               words::Count(lost.lines, "line", "lines"), ToString(lost.why),
                               lost.first_line, lost.first_detail.empty() ? "" : ": ",
                               words::Printable(lost.first_detail)) +
                   OfRanks(lost.ranks));
  }
  for (const recording::Loss& loss : recording.losses) {
    if (loss.what == recording::loss::kNoPcSampling) continue;  // the cost's own note says so
    rows.push_back(fmt::format("{}: {} ({}{})", name, words::Printable(loss.what),
                               loss.detail.empty() ? "" : words::Printable(loss.detail) + "; ",
                               words::Count(loss.count, "time", "times")) +
                   OfRanks(loss.ranks));
  }
  notes.AddRows(rows, "losses of this recording");
}

void AddUnmatched(const Report& report, Notes& notes) {
  std::vector<std::string> rows;
  for (const recording::Unmatched& one : findings::UnmatchedInAll(report)) {
    std::string nearest;
    for (const std::string& name : one.nearest) {
      nearest += nearest.empty() ? "; seen were " : ", ";
      nearest += words::Printable(name);
    }
    rows.push_back(fmt::format("--{} {} matched nothing{}", words::Printable(one.option),
                               words::Printable(one.filter), nearest));
  }
  notes.AddRows(rows, "filters that matched nothing");
}

// What sampling under a budget has done, in all processes together.
void AddCost(const Report& report, Notes& notes) {
  if (report.cost && report.cost->dropped > Cycles(0)) {
    Cycles taken = report.cost->Sum().all;
    taken += report.cost->dropped;
    notes.Add(fmt::format(
        "{} of the samples were dropped by hardware that could not keep up: they may have waited "
        "for any access, and --min-cost lets none pass that they did",
        words::Percent(findings::ShareOf(report.cost->dropped, taken))));
  }
  recording::Cost sum;
  for (const RecordingInfo& recording : report.recordings) {
    if (!recording.cost || recording.cost->budget_percent <= 0) continue;
    sum.windows += recording.cost->windows;
    sum.seconds += recording.cost->seconds;
    sum.elapsed += recording.cost->elapsed;
    sum.budget_percent = recording.cost->budget_percent;
  }
  if (sum.windows == 0) return;
  const auto once = std::ranges::count_if(report.kernels, [](const KernelCoverage& kernel) {
    return kernel.checked == Launches(1) && kernel.launches > Launches(1);
  });
  notes.Add(fmt::format(
      "{} took {:.2f} s, {} of {:.1f} s (budget {:g} % for more than the first of each kernel); {} "
      "of several launches counted once",
      words::Count(sum.windows, "window", "windows"), sum.seconds,
      words::Percent(sum.elapsed > 0 ? sum.seconds / sum.elapsed : 0), sum.elapsed,
      sum.budget_percent, words::Count(static_cast<std::uint64_t>(once), "kernel", "kernels")));
}

void AddRecording(const RecordingInfo& recording, Notes& notes) {
  const std::string name = words::Printable(recording.name);
  if (!recording.header.dropped_counters.empty()) {
    notes.Add(words::Printable(
        fmt::format("{}: not all of its processes counted {}: left out of all", recording.name,
                    fmt::join(recording.header.dropped_counters, ", "))));
  }
  if (!recording.missing_counters.empty()) {
    notes.Add(fmt::format("{}: not used, it lacks the counters {}", name,
                          fmt::join(recording.missing_counters, " and ")));
  }
  if (recording.windows_closed_late > 0) {
    notes.Add(fmt::format("{}: {} closed late, with other launches inside", name,
                          words::Count(recording.windows_closed_late, "window", "windows")));
  }
  if (recording.dropped_records > 0) {
    notes.Add(fmt::format(
        "{}: CUPTI dropped {}; the counts are too low", name,
        words::Count(recording.dropped_records, "instruction record", "instruction records")));
  }
  AddLosses(recording, notes);
}

std::string EndingNote(const RecordingInfo& recording) {
  const std::string how = findings::HowItEnded(recording);
  if (how.empty()) return {};
  std::string note = fmt::format("{} {}", words::Printable(recording.name), how);
  if (recording.end) return note;
  const std::string seen = findings::LaunchesSeen(recording);
  if (recording.windows == 0) return note + "; nothing was counted by then" + seen;
  return note + fmt::format(" after {}{}; launches that were not counted are in no total",
                            words::Count(recording.windows, "window", "windows"), seen);
}

void AddEndings(const Report& report, Notes& notes) {
  std::vector<std::string> rows;
  for (const RecordingInfo& recording : report.recordings) {
    if (std::string note = EndingNote(recording); !note.empty()) rows.push_back(std::move(note));
    for (const std::string& how : findings::HowRanksEnded(recording)) {
      rows.push_back(fmt::format("{}: {}", words::Printable(recording.name), how));
    }
  }
  notes.AddRows(rows, "processes that ended badly");
  if (!report.launch) return;
  rows.clear();
  for (const findings::Launch::Outlived& one : report.launch->outlived) {
    rows.push_back(fmt::format("{} (pid {}) outlived the program and was not waited for",
                               words::Printable(one.program), one.pid));
  }
  notes.AddRows(rows, "processes that outlived the program");
}

// File and line, or the kernel where no line is known.
std::string WhereOf(const Report& report, const findings::Access& access) {
  if (!access.shown) return words::ShortName(access.kernel);
  return fmt::format("{}:{}", words::PathShown(report, access.shown->file), access.shown->line);
}

void AddPassedOver(const Report& report, Notes& notes) {
  if (!report.prediction) return;
  for (const std::string& one : report.prediction->skipped) notes.Add(words::Printable(one));
}

// What was not judged, and under what the rest holds.
void AddUnknown(const Report& report, Notes& notes) {
  std::vector<std::string> rows;
  for (const findings::Access& access : report.accesses) {
    if (!access.in_scope || !access.is_unknown()) continue;
    rows.push_back(words::Printable(fmt::format("unknown: {}: {}: {}{}{}", WhereOf(report, access),
                                                cubin::ToString(access.kind), access.predicted->why,
                                                access.predicted->settle.empty() ? "" : "; ",
                                                access.predicted->settle)));
  }
  notes.AddRows(rows, "accesses that are unknown (--format json lists all)");
}

void AddAssumptions(const Report& report, Notes& notes) {
  if (!report.prediction) return;
  notes.Add(fmt::format("assumed: {}", fmt::join(report.prediction->assumptions, "; ")));
}

// With those that were merged before.
std::uint64_t RecordingsIn(const Report& report) {
  std::uint64_t recordings = 0;
  for (const RecordingInfo& one : report.recordings) {
    recordings += std::max<std::uint64_t>(one.header.merged, 1);
  }
  return recordings;
}

void AddJob(const Report& report, Notes& notes) {
  for (const std::string& note : RankNotes(report)) notes.Add(note);
  notes.AddRows(DifferenceNotes(report), "differences between ranks");
  for (const std::string& row : RankRows(report)) notes.Add(row);
}

void AddUnreadable(const Report& report, Notes& notes) {
  std::vector<std::string> rows;
  for (const findings::Unreadable& one : report.unreadable) {
    rows.push_back(
        fmt::format("{} not used: {}", words::Printable(one.name), words::Printable(one.why)));
  }
  notes.AddRows(rows, "recordings that could not be read");
}

void AddGaps(const Report& report, Notes& notes) {
  AddEndings(report, notes);
  AddPassedOver(report, notes);
  notes.AddRows(MissingRankNotes(report), "jobs whose ranks are missing");
  AddUnreadable(report, notes);
  AddNeverCounted(report, notes);
  AddUnattributed(report, notes);
  AddUnmatched(report, notes);
  for (const RecordingInfo& recording : report.recordings) AddRecording(recording, notes);
}

}  // namespace

bool IsSampledOnly(const Report& report) {
  const std::vector<recording::Skipped> skipped = words::SkippedInAll(report);
  return report.launches_checked > Launches(0) && skipped.size() == 1 &&
         skipped.front().reason == ToString(recording::Skip::kSampling);
}

std::vector<std::string> AloneNotes(const Report& report) {
  std::vector<std::string> rows;
  for (const findings::FindingAlone& one : report.alone) {
    rows.push_back(words::Printable(
        fmt::format("{}: {} would be a finding in {} alone: {}; in all recordings: {}", one.where,
                    cubin::ToString(one.kind), one.recording, one.because, one.in_sum)));
  }
  Notes notes;
  notes.AddRows(rows, "accesses that would be findings in one recording alone");
  if (report.not_judged_alone > 0) {
    notes.Add(fmt::format("{} not judged alone: there are too many accesses",
                          words::Count(report.not_judged_alone, "recording", "recordings")));
  }
  return std::move(notes).Take();
}

std::vector<std::string> NotesOf(const Report& report, std::size_t hidden) {
  Notes notes;
  if (hidden > 0) {
    notes.Add(fmt::format("{} not printed (--print-limit)",
                          words::Count(hidden, "more finding", "more findings")));
  }
  if (const std::uint64_t recordings = RecordingsIn(report); recordings > 1) {
    notes.Add(fmt::format("summed over {} recordings", words::Grouped(recordings)));
  }
  AddJob(report, notes);
  for (const std::string& note : ScopeNotes(report)) notes.Add(note);
  for (const std::string& note : AloneNotes(report)) notes.Add(note);
  AddUnknown(report, notes);
  AddPassedOver(report, notes);
  AddAssumptions(report, notes);
  AddCoverage(report, notes);
  AddNeverCounted(report, notes);
  AddCost(report, notes);
  if (const std::string note = CostNote(report); !note.empty()) notes.Add(note);
  for (const std::string& note : PolicyNotes(report)) notes.Add(note);
  AddSilentKernels(report, notes);
  notes.AddRows(FetchedAgainNotes(report), "lines whose sectors blocks fetch again");
  AddLocalMemory(report, notes);
  AddUnattributed(report, notes);
  AddUnreadable(report, notes);
  AddEndings(report, notes);
  AddUnmatched(report, notes);
  for (const RecordingInfo& recording : report.recordings) AddRecording(recording, notes);
  return std::move(notes).Take();
}

std::vector<std::string> GapNotes(const Report& report) {
  Notes notes;
  if (const std::string why = verdict::WhyIncomplete(report); !why.empty()) {
    notes.Add("not complete: " + words::Printable(why));
  }
  AddGaps(report, notes);
  return std::move(notes).Take();
}

std::vector<std::string> QuietNotes(const Report& report) {
  Notes notes;
  for (const auto& some :
       {ScopeNotes(report), PolicyNotes(report), AloneNotes(report), GapNotes(report)}) {
    for (const std::string& note : some) notes.Add(note);
  }
  return std::move(notes).Take();
}

std::vector<std::string> VerdictNotes(const Report& report) {
  Notes notes;
  for (const auto& some : {ScopeNotes(report), PolicyNotes(report), AloneNotes(report)}) {
    for (const std::string& note : some) notes.Add(note);
  }
  AddGaps(report, notes);
  return std::move(notes).Take();
}

std::vector<std::string> UnknownNotes(const Report& report) {
  Notes notes;
  AddUnknown(report, notes);
  AddAssumptions(report, notes);
  return std::move(notes).Take();
}

std::vector<std::string> NotesOnMissing(const Report& report) {
  Notes notes;
  for (const std::string& note : ScopeNotes(report)) notes.Add(note);
  for (const std::string& note : AloneNotes(report)) notes.Add(note);
  AddJob(report, notes);
  AddUnreadable(report, notes);
  AddEndings(report, notes);
  AddUnmatched(report, notes);
  for (const RecordingInfo& recording : report.recordings) AddRecording(recording, notes);
  return std::move(notes).Take();
}

}  // namespace coalcheck::output
