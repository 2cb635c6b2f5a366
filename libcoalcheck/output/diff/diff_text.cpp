// SPDX-License-Identifier: Apache-2.0
//
// What changed, the worst first, as a compiler would name the places.
#include <fmt/format.h>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/diff/diff_words.h"
#include "libcoalcheck/output/diff/diff_writers.h"

namespace coalcheck::output {
namespace {

using comparison::Change;
using comparison::Difference;

std::string Head(const Difference& difference, const Style& style) {
  const comparison::Measured& place = difference.after ? *difference.after : *difference.before;
  const std::string what =
      fmt::format("{} {}", words::Printable(place.kind), ToString(difference.change));
  const bool bad = difference.change == Change::kWorsened || difference.change == Change::kAppeared;
  // Of what was not seen nothing is known: neither is it good.
  const bool neither = difference.change == Change::kNotSeen;
  return fmt::format("{} {}: wastes {}\n", style.Bold(PlaceOf(difference) + ":"),
                     neither ? what
                     : bad   ? style.Bad(what)
                             : style.Good(what),
                     WasteChange(difference));
}

std::string Numbers(const Difference& difference) {
  const comparison::Measured& place = difference.after ? *difference.after : *difference.before;
  std::string line = fmt::format("   in {}; {} sectors wasted in each launch checked",
                                 words::Printable(place.kernel), PerLaunchChange(difference));
  if (const std::string waiting = WaitingChange(difference); !waiting.empty()) {
    line += fmt::format("; {} of the program's samples wait for them", waiting);
  }
  return line + '\n';
}

}  // namespace

std::string DiffText(const comparison::Comparison& comparison, const Style& style) {
  std::string text;
  for (const Difference& difference : comparison.differences) {
    if (difference.change == Change::kUnchanged) continue;
    text += Head(difference, style) + Numbers(difference);
    if (difference.text_changed) {
      text +=
          fmt::format("   the line is another one: {}\n", words::Printable(difference.after->text));
    }
    if (difference.change == Change::kNotSeen) {
      text += comparison.after.is_predicted ? "   of the newer code it cannot be predicted\n"
                                            : "   its kernel was not checked in the newer run\n";
    }
  }
  for (const std::string& note : DiffNotes(comparison)) text += "coalcheck: " + note + '\n';
  return text + "coalcheck: " + DiffSummary(comparison) + '\n';
}

}  // namespace coalcheck::output
