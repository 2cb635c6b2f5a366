// SPDX-License-Identifier: Apache-2.0
//
// One row for each change.
#include <fmt/format.h>

#include "libcoalcheck/output/diff/diff_words.h"
#include "libcoalcheck/output/diff/diff_writers.h"
#include "libcoalcheck/output/escape.h"

namespace coalcheck::output {
namespace {

using comparison::Change;
using comparison::Difference;

std::string Row(const Difference& difference) {
  const comparison::Measured& place = difference.after ? *difference.after : *difference.before;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", ToString(difference.change),
                     EscapeMarkdown(PlaceOf(difference)), EscapeMarkdown(place.kind),
                     EscapeMarkdown(place.kernel), EscapeMarkdown(WasteChange(difference)),
                     EscapeMarkdown(PerLaunchChange(difference)),
                     EscapeMarkdown(WaitingChange(difference)));
}

}  // namespace

std::string DiffMarkdown(const comparison::Comparison& comparison) {
  std::string text = fmt::format("### coalcheck: {}\n\n", DiffSummary(comparison));
  std::string rows;
  for (const Difference& difference : comparison.differences) {
    if (difference.change != Change::kUnchanged) rows += Row(difference);
  }
  if (!rows.empty()) {
    text += "| change | line | access | kernel | wasted | wasted sectors per launch | waiting |\n";
    text += "|---|---|---|---|---|---|---|\n" + rows + '\n';
  }
  for (const std::string& note : DiffNotes(comparison))
    text += fmt::format("* {}\n", EscapeMarkdown(note));
  return text;
}

}  // namespace coalcheck::output
