// SPDX-License-Identifier: Apache-2.0
//
// The verdict of a report as an exit code. docs/exit-codes.md is the contract.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::verdict {

// The values are exit codes. 2 (usage) and 5 (internal error) are no verdicts on a program.
enum class Outcome : int {
  kClean = 0,
  kFindings = 1,
  kNothingChecked = 3,   // no launch was counted, or none that touched global memory
  kCouldNotCollect = 4,  // the counters were not to be had, or not all that was counted
};
// "clean", "findings", "nothing checked", "could not collect".
std::string_view ToString(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::kClean;
  std::string reason;      // why nothing was checked or could be collected; else empty
  bool tolerated = false;  // this machine cannot collect, and is allowed not to
  bool in_part =
      false;  // kCouldNotCollect: counters were collected, but not all counts can be judged
};
// As a report says it: ToString of the outcome, or "not all could be judged".
std::string_view Headline(const Verdict& verdict);
// What the verdict alone gives a shell.
int ExitCode(const Verdict& verdict);

// Findings outweigh everything. Without one, silence must not look like success: a report is clean
// only when accesses were counted and all that was counted was there to be judged.
Verdict Judge(const findings::Report& report);

// Why the counters could not be had at all; empty where they could.
std::string WhyNotCollected(const findings::Report& report);

// The counters could not be had, and that is all: nothing was counted of which something is lost.
// This is what --allow-unavailable tolerates.
bool IsUnavailable(const findings::Report& report);

// Why `report` may lack counts: lost records or windows, recordings that could not be read, counts
// of code that is not there. Empty: it is complete. In a verdict findings win over it; in a
// comparison of two runs they do not.
std::string WhyIncomplete(const findings::Report& report);
// Why recordings that a prediction takes launches from may lack some of them; empty where they are
// whole, or of programs that were killed and need no end.
std::string WhyLaunchesLack(std::vector<findings::RecordingInfo> recordings, bool require_end);

// The exit code or signal of `coalcheck run`, and whether it is the program's or the verdict's.
struct ShellSees {
  enum class Decider { kProgram, kVerdict, kExitZero, kNotWritten };
  recording::EndKind kind = recording::EndKind::kExit;  // or kSignal
  std::uint32_t number = 0;
  Decider decider = Decider::kVerdict;
};
// "program", "verdict", "exit-zero", "not written".
std::string_view ToString(ShellSees::Decider decider);

// A program's own failure always wins; the verdict counts only if the program succeeded and the
// report was `written`.
ShellSees Decide(const findings::Launch& launch, const Verdict& verdict, bool written = true);

}  // namespace coalcheck::verdict
