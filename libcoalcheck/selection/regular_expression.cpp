// SPDX-License-Identifier: Apache-2.0
//
// Expressions by <regex>, within bounds.
#include "libcoalcheck/selection/regular_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "libcoalcheck/selection/glob.h"

namespace coalcheck::selection {
namespace {

constexpr std::size_t kLongestExpression = 1000;

// libstdc++ can match in polynomial time, and without a recursion for each character.
#ifdef __GLIBCXX__
constexpr auto kSyntax = std::regex::ECMAScript | std::regex_constants::__polynomial;
#else
constexpr auto kSyntax = std::regex::ECMAScript;
#endif

// Finds the expression anywhere in one pass over a name; a search would begin anew at each
// character. It is read by itself first: brackets that do not pair must not close these.
std::regex Anywhere(std::string_view text) {
  // libstdc++ looks at the character behind a last bracket: there has to be one.
  const std::regex checked_alone(std::string(text), kSyntax);
  return std::regex(fmt::format("[\\s\\S]*?(?:{})", text), kSyntax);
}

// The last character of the escape that begins at `at`: of \cJ the J.
std::size_t EndOfEscape(std::string_view text, std::size_t at) {
  const bool is_control = at + 1 < text.size() && text[at + 1] == 'c';
  return at + (is_control ? 2 : 1);
}

// The ] that closes the set at `at`, or behind the end. In ECMAScript [] is a set of nothing.
std::size_t EndOfBrackets(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != ']'; ++at) {
    if (text[at] == '\\') {
      at = EndOfEscape(text, at);
    } else if (text[at] == '[' && at + 1 < text.size() &&
               std::string_view(":.=").find(text[at + 1]) != std::string_view::npos) {
      at = std::min(text.find(std::string{text[at + 1], ']'}, at + 2), text.size() - 2) + 1;
    }
  }
  return std::min(at, text.size());
}

// Whether a repetition has nothing before it, as in "*foo": libstdc++ blames a bracket for that.
bool RepeatsNothing(std::string_view text) {
  char before = '|';  // 0: something that can be repeated
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_group = c == '?' && before == '(';  // (?:…), (?=…)
    const bool repeats = c == '*' || c == '+' || c == '?';
    if (repeats && before != 0 && !is_group) return true;
    before = c == '|' || c == '(' ? c : '\0';
    if (c == '\\') at = EndOfEscape(text, at);
  }
  return false;
}

// Which libstdc++ refuses, but only after it has read a number of any length.
bool HasBackReference(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '\\') continue;
    if (text[at + 1] >= '1' && text[at + 1] <= '9') return true;
    at = EndOfEscape(text, at);
  }
  return false;
}

// How deep (?=…) and (?!…) stand in one another. Each level multiplies the time by the length of
// the name.
std::size_t DepthOfLookingAhead(std::string_view text) {
  std::size_t deepest = 0;
  std::vector<bool> open;  // groups, and whether they look ahead
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      at = EndOfEscape(text, at);
    } else if (text[at] == '[') {
      at = EndOfBrackets(text, at);
    } else if (text[at] == ')' && !open.empty()) {
      open.pop_back();
    } else if (text[at] == '(') {
      const std::string_view begin = text.substr(at, 3);
      const bool looks = begin == "(?=" || begin == "(?!";
      open.push_back(looks);
      deepest = std::max(deepest, static_cast<std::size_t>(std::ranges::count(open, true)));
    }
  }
  return deepest;
}

// Of "{2,90}…": 90, as far as a weight goes.
std::size_t LargestNumber(std::string_view repetition) {
  std::size_t largest = 1;
  std::size_t number = 0;
  for (const char c : repetition.substr(0, repetition.find('}'))) {
    const bool is_digit = c >= '0' && c <= '9';
    number = is_digit ? std::min(number * 10 + static_cast<std::size_t>(c - '0'), kHeaviest) : 0;
    largest = std::max(largest, number);
  }
  return largest;
}

std::string WhyNot(std::string_view text, const std::regex_error& error) {
  namespace codes = std::regex_constants;
  if (RepeatsNothing(text)) {
    return fmt::format(
        "a * has nothing before it to repeat; .* is any text, and a pattern as for file "
        "names stands without {}",
        kRegexPrefix);
  }
  const auto code = error.code();
  if (code == codes::error_space || code == codes::error_stack) return "it repeats too much";
  if (code == codes::error_paren) return "a ( or ) has no partner";
  if (code == codes::error_brack) return "a [ has no ]";
  if (code == codes::error_brace) return "a { has no }";
  if (code == codes::error_badbrace) return "{ } takes one or two numbers";
  if (code == codes::error_range) return "a range such as [a-z] goes from the lower to the higher";
  if (code == codes::error_escape) return "a backslash begins an unknown escape";
  if (code == codes::error_ctype) return "[: :] names an unknown class of characters";
  return error.what();
}

}  // namespace

std::size_t WeightOf(std::string_view text) {
  const auto bounded = [](std::size_t weight) { return std::min(weight, kHeaviest + 1); };
  std::vector<std::size_t> before = {0};  // of each group that is open, what stands before it
  std::size_t weight = 0;                 // of the innermost group so far
  std::size_t last = 0;                   // of what a repetition would repeat
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(') {
      before.push_back(weight);
      weight = last = 0;
    } else if (c == ')' && before.size() > 1) {
      last = weight + 1;
      weight = bounded(before.back() + last);
      before.pop_back();
    } else if (c == '{') {
      const std::size_t times = LargestNumber(text.substr(at));
      weight = bounded(weight + last * times);
      last = bounded(last * times);  // a{9}{9}
      at = std::min(text.find('}', at), text.size());
    } else if (c == '*' || c == '+' || c == '?') {
      ++last;  // a{9}?{9}
      weight = bounded(weight + 1);
    } else {
      if (c == '\\') at = EndOfEscape(text, at);
      if (c == '[') at = EndOfBrackets(text, at);
      last = 1;
      weight = bounded(weight + last);
    }
  }
  while (before.size() > 1) {
    weight = bounded(weight + before.back());
    before.pop_back();
  }
  return weight;
}

struct RegularExpression::Compiled {
  std::regex regex;
};

Result<RegularExpression> RegularExpression::Parse(std::string_view text) {
  if (text.empty()) {
    return Error{fmt::format("a regular expression is missing behind {}", kRegexPrefix)};
  }
  if (text.size() > kLongestExpression) {
    return Error{fmt::format("the regular expression is too long; {} characters are accepted",
                             kLongestExpression)};
  }
  RegularExpression expression;
  expression.weight_ = WeightOf(text);
  if (expression.weight_ > kHeaviest) {
    return Error{fmt::format("'{}' is not a regular expression: it repeats too much", text)};
  }
  if (HasBackReference(text)) {
    return Error{
        fmt::format("'{}' is not a regular expression: back-references are not accepted", text)};
  }
  const std::size_t depth = DepthOfLookingAhead(text);
  expression.looks_ahead_ = depth > 0;
  if (depth > 1) {
    return Error{fmt::format(
        "'{}' is not a regular expression: (?=…) and (?!…) in one another are not accepted", text)};
  }
  try {
    expression.compiled_ = std::make_shared<const Compiled>(Compiled{Anywhere(text)});
  } catch (const std::regex_error& error) {
    return Error{fmt::format("'{}' is not a regular expression: {}", text, WhyNot(text, error))};
  }
  return expression;
}

bool RegularExpression::IsIn(std::string_view name) const {
  name = name.substr(0, kLongestName);
  try {
    return std::regex_search(name.begin(), name.end(), compiled_->regex,
                             std::regex_constants::match_continuous);
  } catch (const std::regex_error&) {
    return false;  // it asked for too much
  }
}

}  // namespace coalcheck::selection
