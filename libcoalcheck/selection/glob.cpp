// SPDX-License-Identifier: Apache-2.0
//
// Wildcards by hand, not by fnmatch: that one follows the locale of the watched program and reads
// its environment, which other threads may be changing.
#include "libcoalcheck/selection/glob.h"

#include <fmt/format.h>

namespace coalcheck::selection {
namespace {

using ByteSet = std::bitset<256>;

std::size_t ByteOf(char c) { return static_cast<unsigned char>(c); }

ByteSet Only(char c) { return ByteSet().set(ByteOf(c)); }

// The member at `at`, a backslash before it left out; moves `at` behind it.
char TakeMember(std::string_view members, std::size_t& at) {
  if (members[at] == '\\' && at + 1 < members.size()) ++at;
  return members[at++];
}

// Of "a-z_" or "!a-z_".
ByteSet ReadSet(std::string_view members) {
  const bool is_negated = members.front() == '!' || members.front() == '^';
  if (is_negated) members.remove_prefix(1);
  ByteSet set;
  for (std::size_t at = 0; at < members.size();) {
    const std::size_t first = ByteOf(TakeMember(members, at));
    std::size_t last = first;
    if (at + 1 < members.size() && members[at] == '-') {
      ++at;
      last = ByteOf(TakeMember(members, at));
    }
    for (std::size_t byte = first; byte <= last; ++byte) set.set(byte);
  }
  return is_negated ? ~set : set;
}

}  // namespace

std::size_t EndOfSet(std::string_view pattern, std::size_t open) {
  std::size_t first = open + 1;
  if (first < pattern.size() && (pattern[first] == '!' || pattern[first] == '^')) ++first;
  for (std::size_t at = first; at < pattern.size(); ++at) {
    if (pattern[at] == '[') return std::string_view::npos;
    if (pattern[at] == ']' && at > first) return at;  // the first ] is a member
    if (pattern[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

Result<Glob> Glob::Parse(std::string_view pattern) {
  Glob glob;
  glob.text_ = pattern;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '\\' && at + 1 == pattern.size()) {
      return Error{fmt::format(
          "'{}' ends in a backslash; it takes the next character as it is, \\\\ is one backslash",
          pattern)};
    }
    if (pattern.substr(at, 3) == "[[:") {
      return Error{fmt::format("'{}' has a character class; use a set such as [0-9]", pattern)};
    }
    const std::size_t end = c == '[' ? EndOfSet(pattern, at) : std::string_view::npos;
    if (c == '*') {
      glob.tokens_.push_back({.is_star = true, .accepted = {}});
    } else if (c == '?') {
      glob.tokens_.push_back({.is_star = false, .accepted = ByteSet().set()});
    } else if (end != std::string_view::npos) {
      glob.tokens_.push_back(
          {.is_star = false, .accepted = ReadSet(pattern.substr(at + 1, end - at - 1))});
      at = end;
    } else {
      if (c == '\\') ++at;
      glob.tokens_.push_back({.is_star = false, .accepted = Only(pattern[at])});
    }
  }
  return glob;
}

bool Glob::Matches(std::string_view name) const {
  name = name.substr(0, kLongestName);
  // Only the latest star ever has to take more: what an earlier one could take, it can, too.
  std::size_t token = 0;
  std::size_t after_star = std::string_view::npos;
  std::size_t star_end = 0;  // what the latest star took ends here
  for (std::size_t at = 0; at < name.size();) {
    if (token < tokens_.size() && tokens_[token].is_star) {
      after_star = ++token;
      star_end = at;
    } else if (token < tokens_.size() && tokens_[token].accepted.test(ByteOf(name[at]))) {
      ++token;
      ++at;
    } else if (after_star != std::string_view::npos) {
      token = after_star;
      at = ++star_end;
    } else {
      return false;
    }
  }
  while (token < tokens_.size() && tokens_[token].is_star) ++token;
  return token == tokens_.size();
}

}  // namespace coalcheck::selection
