// SPDX-License-Identifier: Apache-2.0
//
// Globs and expressions, over readable names.
#include "libcoalcheck/selection/kernel_pattern.h"

#include <algorithm>
#include <utility>

namespace coalcheck::selection {
namespace {

constexpr std::string_view kColons = "::";

bool IsPlain(std::string_view text) {
  return text.find_first_of("*?[\\") == std::string_view::npos;
}

// The pattern of everything inside the namespace that `text` names; empty where it can be none.
std::string InsideNamespace(const std::string& text) {
  if (text.ends_with(kColons)) return text + "*";
  return IsPlain(text) ? text + "::*" : "";
}

// Of a function, and not of one that is called "my_operator".
bool EndsWithOperator(std::string_view name) {
  constexpr std::string_view kOperator = "operator";
  if (!name.ends_with(kOperator)) return false;
  name.remove_suffix(kOperator.size());
  return name.empty() || name.ends_with(':');
}

}  // namespace

Result<KernelPattern> KernelPattern::Parse(std::string_view text) {
  KernelPattern pattern;
  pattern.text_ = std::string(text);
  if (text.empty()) return Error{"a kernel's name is missing"};
  if (text.starts_with(kRegexPrefix)) {
    Result<RegularExpression> expression =
        RegularExpression::Parse(text.substr(kRegexPrefix.size()));
    if (!expression.ok()) return Error{expression.error()};
    pattern.expression_ = std::move(expression).value();
    return pattern;
  }
  for (const std::string& each : {pattern.text_, InsideNamespace(pattern.text_)}) {
    Result<Glob> glob = Glob::Parse(each);
    if (!glob.ok()) return Error{glob.error()};
    if (!each.empty()) pattern.globs_.push_back(std::move(glob).value());
  }
  return pattern;
}

bool KernelPattern::Matches(std::string_view readable) const {
  if (expression_) return expression_->IsIn(readable);
  const std::string_view name = readable.substr(0, kLongestName);
  const std::string qualified = QualifiedName(name);
  std::string_view last = qualified;
  if (const std::size_t colons = last.rfind(kColons); colons != std::string_view::npos) {
    last.remove_prefix(colons + kColons.size());
  }
  return globs_.front().Matches(name) || globs_.front().Matches(last) ||
         std::any_of(globs_.begin(), globs_.end(),
                     [&](const Glob& glob) { return glob.Matches(qualified); });
}

bool KernelPattern::Covers(const KernelPattern& other) const {
  if (text_ == "*" || text_ == other.text_) return true;
  if (expression_ || other.expression_) return false;
  // All of `other` is inside this namespace.
  if (globs_.size() > 1 && globs_.back().Matches(other.text_)) return true;
  // A prefix of the other name is a prefix of all names that `other` matches.
  return text_.ends_with('*') && IsPlain(other.text_) && globs_.front().Matches(other.text_);
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
    // As of Numba: "module::kernel[abi:v1][abi:cw51cX…](…)".
    if (readable.substr(at).starts_with("[abi:")) {
      const std::size_t end = readable.find(']', at);
      if (end == std::string_view::npos) break;
      at = end;
      continue;
    }
    const char c = readable[at];
    // "operator()", "operator<": the bracket belongs to the name.
    if (depth == 0 && (c == '(' || c == '<') && EndsWithOperator(name)) {
      const std::string_view symbol = readable.substr(at, c == '(' ? 2 : 1);
      name += symbol;
      at += symbol.size() - 1;
      continue;
    }
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
