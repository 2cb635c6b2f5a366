// SPDX-License-Identifier: Apache-2.0
//
// Joins what the agent wrote last with what the launcher saw.
#include "libcoalcheck/findings/words/endings.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "libcoalcheck/findings/words/rank_words.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::findings {
namespace {

using recording::EndKind;

// From 1 on.
constexpr std::array<std::string_view, 31> kSignals = {
    "HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1", "SEGV",
    "USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN", "TTOU",
    "URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "IO",   "PWR",  "SYS"};

}  // namespace

std::string SignalName(std::uint32_t signal) {
  if (signal == 0 || signal > kSignals.size()) return fmt::format("signal {}", signal);
  return fmt::format("SIG{}", kSignals[signal - 1]);
}

std::string HowItEnded(const RecordingInfo& recording) {
  if (recording.is_merged()) return recording.end ? "" : "was merged only in part";
  const std::optional<recording::ProcessEnd>& end = recording.process_end;
  if (!end) {
    if (recording.end) return {};
    return "ended without finishing its recording (killed, crashed, abort, _exit or exec) or still "
           "runs";
  }
  if (end->kind == EndKind::kSignal) {
    return fmt::format("was killed by {}", SignalName(end->number));
  }
  if (end->kind == EndKind::kExec) return "went on as another program (exec)";
  if (!recording.end) {
    return fmt::format("ended with exit code {} and without its exit handlers (_exit)",
                       end->number);
  }
  return end->number == 0 ? "" : fmt::format("ended with exit code {}", end->number);
}

std::vector<std::string> HowRanksEnded(const RecordingInfo& merged) {
  std::vector<std::string> clauses;
  for (const EndedAlike& alike : merged.endings) {
    RecordingInfo one;
    if (alike.ending.said_so) one.end.emplace();
    if (alike.ending.kind) one.process_end = {0, *alike.ending.kind, alike.ending.number};
    const std::string how = HowItEnded(one);
    if (how.empty()) continue;
    clauses.push_back(
        fmt::format("{}{}: {}", words::Count(alike.ending.processes, "process", "processes"),
                    alike.ranks.empty() ? "" : " of " + words::Ranks(alike.ranks), how));
  }
  return clauses;
}

std::uint64_t ProcessesEnded(const RecordingInfo& recording) {
  if (!recording.is_merged()) return recording.end ? 1 : 0;
  std::uint64_t processes = 0;
  for (const EndedAlike& alike : recording.endings) {
    if (alike.ending.said_so) processes += alike.ending.processes;
  }
  return processes;
}

std::string LaunchesSeen(const RecordingInfo& recording) {
  if (!recording.progress) return {};
  return fmt::format(" ({} seen)",
                     words::Count(recording.progress->launches, "launch", "launches"));
}

}  // namespace coalcheck::findings
