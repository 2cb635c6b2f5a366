// SPDX-License-Identifier: Apache-2.0
//
// Looks for the words behind a comment's beginning.
#include "libcoalcheck/policy/source_comment.h"

#include <fmt/format.h>

#include <algorithm>

namespace coalcheck::policy {
namespace {

constexpr std::string_view kWord = "coalcheck";
constexpr std::string_view kIgnore = "ignore";
constexpr std::string_view kUntil = "until=";
constexpr std::string_view kBlanks = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// What follows "coalcheck" in a comment for it, and whether the comment is all there is on the
// line.
std::optional<std::string_view> Find(std::string_view line, bool& alone) {
  for (const std::string_view opening : {"//", "/*"}) {
    for (std::size_t at = line.find(opening); at != std::string_view::npos;
         at = line.find(opening, at + 1)) {
      const std::string_view comment = Trimmed(line.substr(at + opening.size()));
      if (!comment.starts_with(kWord)) continue;
      const std::string_view rest = Trimmed(comment.substr(kWord.size()));
      // Without its colon it is a mistake where the rest is meant for us, and else a sentence.
      if (!rest.starts_with(':') && !rest.starts_with("ignore[")) continue;
      alone = Trimmed(line.substr(0, at)).empty();
      return rest;
    }
  }
  return std::nullopt;
}

// "block=32x8 height=4096": for `coalcheck predict`, and no suppression.
bool SaysLaunch(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(kBlanks));
  return first.find('=') != std::string_view::npos && first.find('[') == std::string_view::npos;
}

}  // namespace

Result<std::optional<SourceComment>> ReadSourceComment(std::string_view line) {
  SourceComment comment;
  std::optional<std::string_view> found = Find(line, comment.alone);
  if (!found) return std::optional<SourceComment>();
  const bool has_colon = found->starts_with(':');
  std::string_view text = has_colon ? Trimmed(found->substr(1)) : std::string_view();
  if (SaysLaunch(text)) return std::optional<SourceComment>();
  if (!text.starts_with(kIgnore)) {
    return Error{
        "a comment for coalcheck says: // coalcheck: ignore[why] until=YYYY-MM-DD, or a launch to "
        "predict for: // coalcheck: block=32x8"};
  }
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']');
  const bool has_reason = open == kIgnore.size() && close != std::string_view::npos &&
                          !Trimmed(text.substr(open + 1, close - open - 1)).empty();
  if (!has_reason) return Error{"a suppression needs a reason in brackets: ignore[why]"};
  comment.reason = Trimmed(text.substr(open + 1, close - open - 1));
  text = Trimmed(text.substr(close + 1));
  if (text.starts_with(kUntil)) {
    const std::string_view date = text.substr(kUntil.size(), 10);
    comment.until = DateFromText(date);
    if (!comment.until) {
      return Error{fmt::format("a suppression ends on a day: until=YYYY-MM-DD, not '{}'", date)};
    }
  } else if (!text.empty() && text != "*/") {
    return Error{fmt::format(
        "behind ignore[why] stands nothing but until=YYYY-MM-DD, and so not '{}'", text)};
  }
  return std::optional(std::move(comment));
}

}  // namespace coalcheck::policy
