// SPDX-License-Identifier: Apache-2.0
//
// Instructions and clean accesses, a line each.
#include "libcoalcheck/output/text/text_verbose.h"

#include <fmt/format.h>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/finding_view.h"

namespace coalcheck::output {
namespace {

using findings::Report;

std::string InstructionLine(const Report& report, const findings::Instruction& instruction) {
  const findings::Counts& counts = instruction.counts;
  return fmt::format("   instruction at pc 0x{:x} of cubin {}: {}{}, {} needed{}\n",
                     instruction.pc.value(), ToHex(instruction.cubin),
                     report.present.requests
                         ? words::Count(counts.requests.count(), "request", "requests") + ", "
                         : "",
                     words::Count(counts.sectors.count(), "sector", "sectors"),
                     words::Grouped(counts.ideal.count()),
                     instruction.ptx.empty() ? "" : "; " + words::Printable(instruction.ptx));
}

}  // namespace

std::string InstructionLines(const Report& report, const findings::Place& place) {
  const findings::Access& worst = report.accesses[words::WorstOf(report, place)];
  std::string text;
  if (const std::string name = words::PrintableName(worst.kernel);
      name != words::ShortName(worst.kernel)) {
    text += fmt::format("   in full: {}\n", name);
  }
  for (const findings::Instruction& one : worst.instructions) {
    text += InstructionLine(report, one);
  }
  return text;
}

std::string CleanLines(const Report& report) {
  std::string text;
  for (const findings::Place& place : report.places) {
    if (place.is_finding || !place.in_scope || IsUnknown(report, place)) continue;
    const FindingView view = ViewOf(report, place);
    const std::string word =
        place.excuse ? "excused (" + words::Printable(place.excuse->reason) + ")" : "clean";
    text +=
        fmt::format("{}: {}: {}\n   {}\n", word, view.where, view.claim, view.details.front().text);
  }
  return text;
}

}  // namespace coalcheck::output
