// SPDX-License-Identifier: Apache-2.0
//
// A name with wildcards, as in file names.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"

namespace coalcheck::selection {

// Of longer names the start counts, here and for a RegularExpression.
inline constexpr std::size_t kLongestName = 4096;

// * stands for any text, ? for one byte, [a-z_] for one of a set and [!a-z] for one outside it; a
// backslash takes the next character as it is. Inside a set [ is written \[; a [ that opens no set
// stands for itself. The same in every locale, and never slower than name × pattern.
class Glob {
 public:
  // Error: a backslash at the end, a character class such as [[:digit:]].
  static Result<Glob> Parse(std::string_view pattern);

  // Whether the pattern is the whole name.
  bool Matches(std::string_view name) const;
  const std::string& text() const { return text_; }

 private:
  struct Token {
    bool is_star = false;
    std::bitset<256> accepted;  // unless is_star
  };
  std::string text_;
  std::vector<Token> tokens_;
};

// Where the set that begins with the [ at `open` has its ]; npos where that [ opens no set.
std::size_t EndOfSet(std::string_view pattern, std::size_t open);

}  // namespace coalcheck::selection
