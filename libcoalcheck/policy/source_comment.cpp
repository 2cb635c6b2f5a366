// SPDX-License-Identifier: Apache-2.0
//
// Looks for the words behind a comment's beginning.
#include "libcoalcheck/policy/source_comment.h"

#include <fmt/format.h>

#include <algorithm>

#include "libcoalcheck/base/trimmed.h"

namespace coalcheck::policy {
namespace {

constexpr std::string_view kWord = "coalcheck";
constexpr std::string_view kIgnore = "ignore";
constexpr std::string_view kUntil = "until=";
constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kLongestComment = 1000;  // a message may quote all of it

// What follows "coalcheck" in a comment for it, and whether the comment is all there is on the
// line.
std::optional<std::string_view> Find(std::string_view line, bool& alone) {
  for (const std::string_view opening : {"//", "/*"}) {
    for (std::size_t at = line.find(opening); at != std::string_view::npos;
         at = line.find(opening, at + 1)) {
      const std::string_view comment = Trimmed(line.substr(at + opening.size()));
      if (!comment.starts_with(kWord)) continue;
      const std::string_view rest = Trimmed(comment.substr(kWord.size()));
      // Without the colon "coalcheck ignore[" is an error, and anything else ordinary text.
      if (!rest.starts_with(':') && !rest.starts_with("ignore[")) continue;
      alone = Trimmed(line.substr(0, at)).empty();
      return rest;
    }
  }
  return std::nullopt;
}

std::string_view TakeWord(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text = Trimmed(text.substr(word.size()));
  return word;
}

// Whether all words are KEY=NUMBER or KEY=32x8, and none is part of a suppression.
bool SaysLaunch(std::string_view text) {
  if (text.empty()) return false;
  while (!text.empty()) {
    const std::string_view word = TakeWord(text);
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || word.starts_with(kUntil)) return false;
    const std::string_view value = word.substr(equals + 1);
    const bool is_number =
        !value.empty() && (value[0] == '-' || (value[0] >= '0' && value[0] <= '9'));
    if (!is_number || word.find('[') != std::string_view::npos) return false;
  }
  return true;
}

std::string_view WithoutEnd(std::string_view comment) {
  return comment.ends_with("*/") ? Trimmed(comment.substr(0, comment.size() - 2)) : comment;
}

}  // namespace

Result<std::optional<SourceComment>> ReadSourceComment(std::string_view line) {
  SourceComment comment;
  // Without its end's blanks, which would be passed over again behind every "//" of it.
  std::optional<std::string_view> found = Find(Trimmed(line), comment.alone);
  if (!found) return std::optional<SourceComment>();
  if (found->size() > kLongestComment) {
    return Error{fmt::format("a comment for coalcheck has at most {} characters", kLongestComment)};
  }
  const bool has_colon = found->starts_with(':');
  std::string_view text = has_colon ? Trimmed(found->substr(1)) : std::string_view();
  if (const std::string_view launch = WithoutEnd(text); SaysLaunch(launch)) {
    comment.launch = launch;
    return std::optional(std::move(comment));
  }
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
    return Error{fmt::format("after ignore[why] only until=YYYY-MM-DD may follow, not '{}'", text)};
  }
  return std::optional(std::move(comment));
}

}  // namespace coalcheck::policy
