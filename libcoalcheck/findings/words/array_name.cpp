// SPDX-License-Identifier: Apache-2.0
//
// Reads no C++, but knows when a line is too much for it.
#include "libcoalcheck/findings/words/array_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "libcoalcheck/base/identifier.h"

namespace coalcheck::findings {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool IsAny(char c, std::string_view of) { return of.find(c) != kNone; }

// Words that would stick to the name behind them, as the line has no blanks; other statements;
// texts.
bool IsTooMuch(std::string_view line) {
  constexpr std::array<std::string_view, 9> kStatements = {
      "else", "do", "return", "case", "goto", "for(", "if(", "while(", "switch("};
  const auto begins = [line](std::string_view word) { return line.starts_with(word); };
  return std::ranges::any_of(kStatements, begins) || line.find("->") != kNone ||
         line.find_first_of("\"'#?{}\\`@$") != kNone || std::ranges::count(line, ';') > 1;
}

struct Assignment {
  std::string_view to;
  std::string_view from;
  bool adds = false;  // += and the like, which load what they store to
};

// Of exactly one `=` outside of brackets.
std::optional<Assignment> AssignmentIn(std::string_view line) {
  if (line.ends_with(';')) line.remove_suffix(1);
  std::optional<std::size_t> at;
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    depth += IsAny(line[i], "([") ? 1 : IsAny(line[i], ")]") ? -1 : 0;
    if (line[i] != '=') continue;
    const char before = i > 0 ? line[i - 1] : '=';
    const char behind = i + 1 < line.size() ? line[i + 1] : '=';
    if (depth != 0 || at || IsAny(before, "=!<>") || behind == '=') return std::nullopt;
    at = i;
  }
  if (!at || depth != 0) return std::nullopt;
  Assignment found{line.substr(0, *at), line.substr(*at + 1), IsAny(line[*at - 1], "+-*/%&|^")};
  if (found.adds) found.to.remove_suffix(1);
  return found;
}

// The names with an index behind them; empty where an index belongs to something else.
std::optional<std::set<std::string>> Indexed(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t at = text.find('['); at != kNone; at = text.find('[', at + 1)) {
    std::size_t first = at;
    while (first > 0 && IsOfIdentifier(text[first - 1])) --first;
    const bool is_second = first == at && at > 0 && text[at - 1] == ']';  // a[i][j]
    if (is_second) continue;
    const bool is_name = first < at && std::isdigit(static_cast<unsigned char>(text[first])) == 0;
    if (!is_name || (first > 0 && IsAny(text[first - 1], ".)]:"))) return std::nullopt;
    names.insert(std::string(text.substr(first, at - first)));
  }
  return names;
}

// A call: what it does is shown at its line where it is inlined from code of others.
bool HasCall(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '(' && (IsOfIdentifier(text[i - 1]) || IsAny(text[i - 1], ">)]"))) return true;
  }
  return false;
}

// Whether a pointer is followed, or a member named.
bool MayReadElsewhere(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i > 0 ? text[i - 1] : '=';
    const char behind = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool follows = text[i] == '*' && IsAny(before, "=(,+-*/%&|^<>!~[:");
    const bool member = text[i] == '.' && !std::isdigit(static_cast<unsigned char>(behind)) &&
                        (IsOfIdentifier(behind) || IsAny(before, ")]"));
    if (follows || member) return true;
  }
  return text.starts_with('*') || text.find('&') != kNone;
}

}  // namespace

std::string ArrayName(std::string_view line, cubin::AccessKind kind) {
  if (IsTooMuch(line)) return {};
  const std::optional<Assignment> assignment = AssignmentIn(line);
  if (!assignment || HasCall(line)) return {};
  const auto to = Indexed(assignment->to);
  if (!to) return {};
  const bool is_whole = to->size() == 1 && assignment->to.ends_with(']') &&
                        assignment->to.starts_with(*to->begin() + '[');
  const std::string target = is_whole ? *to->begin() : std::string();
  if (kind == cubin::AccessKind::kStore) return target;
  const auto from = Indexed(assignment->from);
  if (kind != cubin::AccessKind::kLoad || !from || to->size() > 1) return {};
  if (MayReadElsewhere(assignment->from) || MayReadElsewhere(assignment->to)) return {};
  if (assignment->adds && !to->empty()) return from->empty() ? target : std::string();
  return from->size() == 1 ? *from->begin() : std::string();
}

}  // namespace coalcheck::findings
