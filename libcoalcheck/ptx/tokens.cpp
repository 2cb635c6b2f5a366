// SPDX-License-Identifier: Apache-2.0
//
// One pass over the text, without copies.
#include "libcoalcheck/ptx/tokens.h"

namespace coalcheck::ptx {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         c == '.' || c == '%';
}

}  // namespace

Tokens::Tokens(std::string_view text, std::uint32_t first_line)
    : Tokens(text, text.find('\0') == std::string_view::npos ? '\n' : '\0', first_line) {}

Tokens::Tokens(std::string_view text, char line_end, std::uint32_t first_line)
    : text_(text), line_(first_line), line_end_(line_end) {}

bool Tokens::SkipComment() {
  const std::string_view rest = text_.substr(position_);
  if (rest.starts_with("//")) {
    const std::size_t end = text_.find_first_of(std::string_view("\n\0", 2), position_);
    position_ = end == std::string_view::npos ? text_.size() : end;
    return true;
  }
  if (!rest.starts_with("/*")) return false;
  std::size_t end = text_.find("*/", position_ + 2);
  is_cut_ = is_cut_ || end == std::string_view::npos;
  end = end == std::string_view::npos ? text_.size() : end + 2;
  for (; position_ < end; ++position_) line_ += text_[position_] == line_end_ ? 1 : 0;
  return true;
}

void Tokens::SkipBlanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == line_end_) ++line_;
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
    if (is_blank) {
      ++position_;
    } else if (!SkipComment()) {
      return;
    }
  }
}

Token Tokens::Take(Token::Kind kind, std::size_t length) {
  const Token token{kind, text_.substr(position_, length), line_};
  position_ += length;
  return token;
}

Token Tokens::Next() {
  SkipBlanks();
  if (position_ >= text_.size()) return {Token::Kind::kEnd, {}, line_};
  const char first = text_[position_];
  if (first == '"') {
    const std::size_t end = text_.find('"', position_ + 1);
    is_cut_ = is_cut_ || end == std::string_view::npos;
    const std::size_t length = (end == std::string_view::npos ? text_.size() : end) - position_ - 1;
    ++position_;
    Token token = Take(Token::Kind::kString, length);
    if (position_ < text_.size()) ++position_;
    return token;
  }
  if (!IsWord(first)) return Take(Token::Kind::kMark, 1);
  std::size_t end = position_ + 1;
  while (end < text_.size()) {
    // "L1::evict_last" is part of an opcode, "loop:" is a label.
    const bool is_scope = text_.substr(end).starts_with("::");
    if (!is_scope && !IsWord(text_[end])) break;
    end += is_scope ? 2 : 1;
  }
  return Take(IsDigit(first) ? Token::Kind::kNumber : Token::Kind::kWord, end - position_);
}

bool Tokens::SkipLine() {
  const std::size_t begin = position_;
  const std::size_t end = text_.find(line_end_, position_);
  position_ = end == std::string_view::npos ? text_.size() : end;
  const std::string_view rest = text_.substr(begin, position_ - begin);
  // The name of a file may hold these marks, and a comment.
  const std::size_t from = rest.find('"') == std::string_view::npos ? 0 : rest.rfind('"');
  const std::size_t mark = rest.find_first_of(";{}(", from);
  return mark == std::string_view::npos ||
         rest.substr(from, mark - from).find("//") != std::string_view::npos;
}

}  // namespace coalcheck::ptx
