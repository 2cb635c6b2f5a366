// SPDX-License-Identifier: Apache-2.0
//
// Word splitting as in POSIX sh, without expansion.
#include "libcoalcheck/options/split.h"

#include <fmt/format.h>

namespace coalcheck::options {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  Result<std::vector<std::string>> Run() {
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (IsBlank(c)) {
        EndWord();
      } else if (c == '\'' || c == '"') {
        in_word_ = true;
        if (!Quoted(c)) return Error{fmt::format("the quote {} is never closed", c)};
      } else if (c == '\\') {
        if (at_ == line_.size()) return Error{"a backslash stands at the end"};
        Add(line_[at_++]);
      } else {
        Add(c);
      }
    }
    EndWord();
    return std::move(words_);
  }

 private:
  void Add(char c) {
    in_word_ = true;
    word_ += c;
  }

  // Reads up to the closing `quote`. Inside "…" a backslash escapes only \ and ".
  bool Quoted(char quote) {
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == quote) return true;
      const bool escapes = quote == '"' && c == '\\' && at_ < line_.size() &&
                           (line_[at_] == '"' || line_[at_] == '\\');
      word_ += escapes ? line_[at_++] : c;
    }
    return false;
  }

  void EndWord() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  bool in_word_ = false;
  std::string word_;
  std::vector<std::string> words_;
};

}  // namespace

Result<std::vector<std::string>> SplitLikeShell(std::string_view line) {
  return Splitter(line).Run();
}

}  // namespace coalcheck::options
