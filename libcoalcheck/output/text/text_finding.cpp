// SPDX-License-Identifier: Apache-2.0
//
// What and where, the source line with the cause under it, what to do and what not to.
#include "libcoalcheck/output/text/text_finding.h"

#include <fmt/format.h>

#include <optional>

#include "libcoalcheck/findings/words/array_name.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/details.h"
#include "libcoalcheck/output/view/patterns.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

constexpr std::size_t kMaxSourceWidth = 200;

// Where in the line, as it is printed, the array stands that the access is of, and how long its
// name is; the first word where that is not known.
struct Mark {
  std::size_t at = 0;
  std::size_t length = 1;
};

Mark MarkOf(std::string_view line, const std::string& array) {
  const std::size_t first = line.find_first_not_of(' ');
  if (!array.empty()) {
    const std::size_t at = line.find(array + "[");
    if (at != std::string_view::npos) return {at, array.size()};
  }
  return {first == std::string_view::npos ? 0 : first, 1};
}

// The line of the source, and the cause under it.
std::string SourceLines(const Report& report, const Place& place, const Access& access,
                        cubin::SourceText& sources) {
  const std::string cause = CauseWords(report, place);
  const auto line = access.shown ? sources.Line(access.shown->file, access.shown->line)
                                 : std::optional<std::string>();
  if (!line) return cause.empty() ? "" : fmt::format("   {}\n", cause);
  std::string_view text = *line;
  const bool cut = text.size() > kMaxSourceWidth;
  if (cut) text = text.substr(0, kMaxSourceWidth);
  const std::string shown = words::Printable(text);
  std::string lines = fmt::format("{:>5} | {}{}\n", access.shown->line, shown, cut ? " …" : "");
  if (cause.empty()) return lines;
  std::string array = words::ArrayOf(access);
  if (array.empty()) array = findings::ArrayName(place.identity.text, access.kind);
  const Mark mark = MarkOf(shown, array);
  return lines + fmt::format("{:>5} | {}^{} {}\n", "", std::string(mark.at, ' '),
                             std::string(mark.length - 1, '~'), cause);
}

std::string HeadLine(const FindingView& view, const Style& style) {
  return fmt::format("{} {}: {}{}{}\n", style.Bold(view.where + ":"), style.Bad(view.wastes),
                     view.needed, view.worst_part,
                     view.standing.empty() ? "" : "; baseline: " + view.standing);
}

}  // namespace

std::string FindingText(const Report& report, const Place& place, const FindingView& view,
                        cubin::SourceText& sources, const Style& style, std::size_t most_lines) {
  const std::string text =
      HeadLine(view, style) + SourceLines(report, place, *view.worst, sources) +
      LinesAbout(About::kMadeFrom, view.details) + Lines(AssumedDetails(*view.worst)) +
      LinesAbout(About::kCost, view.details) + LinesAbout(About::kChange, view.details);
  std::size_t end = 0;
  for (std::size_t i = 0; i < most_lines && end < text.size(); ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

}  // namespace coalcheck::output
