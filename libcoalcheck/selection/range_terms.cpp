// SPDX-License-Identifier: Apache-2.0
//
// A filter is split at its commas, a path at its slashes; what is left of the brackets after sets
// of characters were found are anchors.
#include "libcoalcheck/selection/range_terms.h"

#include <fmt/format.h>

#include <utility>

namespace coalcheck::selection {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// The next of `wanted` from `from` on that no backslash stands before.
std::size_t FindUnescaped(std::string_view text, std::string_view wanted, std::size_t from = 0) {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (wanted.find(text[at]) != kNowhere) return at;
    if (text[at] == '\\') ++at;
  }
  return kNowhere;
}

std::vector<std::string_view> SplitAt(char separator, std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = FindUnescaped(text, {&separator, 1});
    parts.push_back(text.substr(0, end));
    if (end == kNowhere) return parts;
    text.remove_prefix(end + 1);
  }
}

// The first bracket that belongs to no set of characters.
std::size_t FindAnchor(std::string_view name) {
  std::size_t at = FindUnescaped(name, "[]");
  while (at != kNowhere && name[at] == '[' && EndOfSet(name, at) != kNowhere) {
    at = FindUnescaped(name, "[]", EndOfSet(name, at) + 1);
  }
  return at;
}

// "[A]" is A with both anchors, while the brackets of "[Aa]x" are a set.
bool BeginsWithAnchor(std::string_view name) {
  if (!name.starts_with('[')) return false;
  const std::size_t end = EndOfSet(name, 0);
  return end == kNowhere || end + 1 == name.size();
}

// Takes the anchors from the ends of `text`.
void TakeAnchors(std::string_view& text, RangePath& path) {
  const std::string_view first = text.substr(0, FindUnescaped(text, "/"));
  if (BeginsWithAnchor(first)) {
    path.is_outermost = true;
    text.remove_prefix(1);
  }
  if (!text.ends_with(']')) return;
  const std::string_view last = SplitAt('/', text).back();
  if (FindAnchor(last) != last.size() - 1) return;
  path.is_innermost = true;
  text.remove_suffix(1);
}

Result<RangeStep> ParseStep(std::string_view text) {
  if (text == "*") return RangeStep{RangeStep::Kind::kAnyNumber, {}};
  if (text == "+") return RangeStep{RangeStep::Kind::kExactlyOne, {}};
  if (text.empty()) {
    return Error{"a name is missing; names stand before and between , and /, as in A,B and A/B"};
  }
  if (text.starts_with(kRegexPrefix)) {
    return Error{"regex: is accepted only at the start, or behind DOMAIN@"};
  }
  const std::size_t anchor = FindAnchor(text);
  if (anchor != kNowhere || BeginsWithAnchor(text)) {
    return Error{fmt::format(
        "'{}' is misplaced; [ is accepted before the first name, ] behind the last one, and both "
        "with a backslash or around a few characters of a name, as in step[0-9]",
        text[anchor == kNowhere ? 0 : anchor])};
  }
  Result<Glob> name = Glob::Parse(text);
  if (!name.ok()) return Error{name.error()};
  return RangeStep{RangeStep::Kind::kName, std::move(name).value()};
}

Result<RangeTerm> ParseTerm(std::string_view text) {
  RangeTerm term;
  TakeAnchors(text, term.path);
  const bool is_path = FindUnescaped(text, "/") != kNowhere;
  term.is_push_pop = is_path || term.path.is_outermost || term.path.is_innermost;
  if (text == "*" && !term.is_push_pop) {  // any range
    term.path.steps.push_back({RangeStep::Kind::kName, Glob::Parse(text).value()});
    return term;
  }
  std::vector<std::string_view> names = SplitAt('/', text);
  if (names.size() > 1 && names.back().empty()) names.pop_back();  // "A/"
  for (const std::string_view name : names) {
    Result<RangeStep> step = ParseStep(name);
    if (!step.ok()) return Error{step.error()};
    term.path.steps.push_back(std::move(step).value());
  }
  if (term.path.steps.front().kind != RangeStep::Kind::kName ||
      term.path.steps.back().kind != RangeStep::Kind::kName) {
    return Error{
        "* and + stand between two names, as in A/*/B; A/ is A with anything inside it, and \\* "
        "and \\+ are names"};
  }
  return term;
}

}  // namespace

Result<DomainAndRest> SplitDomain(std::string_view text) {
  if (text.starts_with(kRegexPrefix)) return DomainAndRest{std::nullopt, text};
  const std::size_t end = FindUnescaped(text, "@");
  if (end == kNowhere) return DomainAndRest{std::nullopt, text};
  const std::string_view name = text.substr(0, end);
  if (FindUnescaped(name, "/,") != kNowhere || FindAnchor(name) != kNowhere) {
    return Error{fmt::format(
        "'{}' is not a domain; one domain stands before the whole range, as in DOMAIN@A/B, and "
        "/ , @ [ ] in names take a backslash",
        name)};
  }
  Result<Glob> domain = Glob::Parse(name);
  if (!domain.ok()) return Error{domain.error()};
  return DomainAndRest{std::move(domain).value(), text.substr(end + 1)};
}

Result<std::vector<RangeTerm>> ParseRangeTerms(std::string_view text) {
  if (FindUnescaped(text, "@") != kNowhere) {
    return Error{"it has two domains; one is accepted, and \\@ is an @ in a name"};
  }
  std::vector<RangeTerm> terms;
  for (const std::string_view part : SplitAt(',', text)) {
    Result<RangeTerm> term = ParseTerm(part);
    if (!term.ok()) return Error{term.error()};
    terms.push_back(std::move(term).value());
  }
  return terms;
}

}  // namespace coalcheck::selection
