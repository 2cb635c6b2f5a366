// SPDX-License-Identifier: Apache-2.0
//
// Globs by fnmatch, expressions by <regex>, both over readable names.
#include "libcoalcheck/selection/kernel_pattern.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <regex>
#include <utility>

namespace coalcheck::selection {
namespace {

constexpr std::string_view kRegexPrefix = "regex:";
constexpr std::size_t kLongestExpression = 1000;
// <regex> recurses once for each character it reads.
constexpr std::size_t kLongestName = 4096;

bool GlobMatches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace

struct KernelPattern::Expression {
  std::regex regex;
};

Result<KernelPattern> KernelPattern::Parse(std::string_view text) {
  KernelPattern pattern;
  pattern.text_ = std::string(text);
  if (text.empty()) return Error{"a kernel's name is missing"};
  if (text.substr(0, kRegexPrefix.size()) != kRegexPrefix) return pattern;
  const std::string expression(text.substr(kRegexPrefix.size()));
  if (expression.size() > kLongestExpression) return Error{"the regular expression is too long"};
  try {
    pattern.expression_ = std::make_shared<const Expression>(Expression{std::regex(expression)});
  } catch (const std::regex_error& error) {
    return Error{fmt::format("'{}' is no regular expression: {}", expression, error.what())};
  }
  return pattern;
}

bool KernelPattern::Matches(std::string_view readable) const {
  const std::string name(readable.substr(0, kLongestName));
  if (expression_ != nullptr) {
    try {
      return std::regex_search(name, expression_->regex);
    } catch (const std::regex_error&) {
      return false;  // it asked for too much
    }
  }
  if (GlobMatches(text_, name)) return true;
  const std::string qualified = QualifiedName(name);
  const std::size_t colons = qualified.rfind("::");
  return GlobMatches(text_, qualified) ||
         (colons != std::string::npos && GlobMatches(text_, qualified.substr(colons + 2)));
}

std::string QualifiedName(std::string_view readable) {
  std::string name;
  int depth = 0;
  for (std::size_t at = 0; at < readable.size(); ++at) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    if (readable.substr(at, kAnonymous.size()) == kAnonymous) {
      if (depth == 0) name += kAnonymous;
      at += kAnonymous.size() - 1;
      continue;
    }
    const char c = readable[at];
    if (c == '(' && depth == 0) break;
    if (c == '>' && depth > 0) {
      --depth;
    } else if (c == '<') {
      ++depth;
    } else if (c == ' ' && depth == 0) {
      name.clear();  // what stood there was the return type
    } else if (depth == 0) {
      name += c;
    }
  }
  return name;
}

}  // namespace coalcheck::selection
