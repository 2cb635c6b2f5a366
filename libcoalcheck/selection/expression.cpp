// SPDX-License-Identifier: Apache-2.0
//
// Expressions by <regex>, within bounds.
#include "libcoalcheck/selection/expression.h"

#include <fmt/format.h>

#include <regex>
#include <string>

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
  const std::regex checked_alone(text.data(), text.size(), kSyntax);
  return std::regex(fmt::format("[\\s\\S]*?(?:{})", text), kSyntax);
}

}  // namespace

struct Expression::Compiled {
  std::regex regex;
};

Result<Expression> Expression::Parse(std::string_view text) {
  if (text.empty()) {
    return Error{fmt::format("a regular expression is missing behind {}", kRegexPrefix)};
  }
  if (text.size() > kLongestExpression) {
    return Error{fmt::format("the regular expression is too long; {} characters are accepted",
                             kLongestExpression)};
  }
  Expression expression;
  try {
    expression.compiled_ = std::make_shared<const Compiled>(Compiled{Anywhere(text)});
  } catch (const std::regex_error& error) {
    const bool refers_back = error.code() == std::regex_constants::error_complexity;
    return Error{fmt::format("'{}' is no regular expression: {}", text,
                             refers_back ? "back-references are not accepted" : error.what())};
  }
  return expression;
}

bool Expression::IsIn(std::string_view name) const {
  name = name.substr(0, kLongestName);
  try {
    return std::regex_search(name.begin(), name.end(), compiled_->regex,
                             std::regex_constants::match_continuous);
  } catch (const std::regex_error&) {
    return false;  // it asked for too much
  }
}

}  // namespace coalcheck::selection
