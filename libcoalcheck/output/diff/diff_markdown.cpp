// SPDX-License-Identifier: Apache-2.0
//
// One row for each change.
#include <fmt/format.h>

#include <string_view>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/diff/diff_words.h"
#include "libcoalcheck/output/diff/diff_writers.h"

namespace coalcheck::output {
namespace {

using comparison::Change;
using comparison::Difference;

// Text out of a program in a cell of a table: nothing of it is Markdown, HTML or the cell's end.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>()#+!|~&").find(c) != std::string_view::npos) cell += '\\';
    cell += c;
  }
  return cell;
}

std::string Row(const Difference& difference) {
  const comparison::Measured& place = difference.after ? *difference.after : *difference.before;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", ToString(difference.change),
                     Cell(PlaceOf(difference)), place.kind, Cell(words::Printable(place.kernel)),
                     Cell(WasteChange(difference)), Cell(PerLaunchChange(difference)),
                     Cell(WaitingChange(difference)));
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
  for (const std::string& note : DiffNotes(comparison)) text += fmt::format("* {}\n", Cell(note));
  return text;
}

}  // namespace coalcheck::output
