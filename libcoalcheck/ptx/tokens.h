// SPDX-License-Identifier: Apache-2.0
//
// Splits PTX text into words, numbers and punctuation, and counts its lines.
#pragma once

#include <cstdint>
#include <string_view>

namespace coalcheck::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,
    kWord,    // an opcode, directive, register, label or name: "ld.global.f32", "%r1", "$L__BB0_2"
    kNumber,  // begins with a digit; a sign is punctuation
    kString,  // without its quotes
    kMark,    // one character
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  std::uint32_t line = 0;  // 1-based

  bool Is(char mark) const { return kind == Kind::kMark && text[0] == mark; }
};

// Reads any bytes. Lines end at NUL where the text has any, as in a cubin, else at a line feed.
class Tokens {
 public:
  explicit Tokens(std::string_view text, std::uint32_t first_line = 1);
  // For a part of a text that is known to end its lines at `line_end`.
  Tokens(std::string_view text, char line_end, std::uint32_t first_line);

  // The next token; kEnd for ever at the end.
  Token Next();
  // Passes over the rest of the line, as directives without a semicolon need. False where a
  // statement stands there, too.
  bool SkipLine();
  // Where the next token is looked for.
  std::size_t position() const { return position_; }
  std::uint32_t line() const { return line_; }
  char line_end() const { return line_end_; }
  // Whether the text ended within a comment or a string.
  bool is_cut() const { return is_cut_; }

 private:
  void SkipBlanks();
  bool SkipComment();
  Token Take(Token::Kind kind, std::size_t length);

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  char line_end_ = '\n';
  bool is_cut_ = false;
};

}  // namespace coalcheck::ptx
