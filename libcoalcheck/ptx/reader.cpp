// SPDX-License-Identifier: Apache-2.0
//
// Finds the functions of a text by their braces, and reads a signature.
#include "libcoalcheck/ptx/reader.h"

#include <algorithm>
#include <numeric>

#include "libcoalcheck/ptx/body.h"
#include "libcoalcheck/ptx/declaration.h"
#include "libcoalcheck/ptx/numbers.h"
#include "libcoalcheck/ptx/slice.h"
#include "libcoalcheck/ptx/tokens.h"

namespace coalcheck::ptx {
namespace {

// Reads past what stands in the brackets that `open` begins; `tokens` is behind the closing one.
// Whether there is one.
bool SkipBrackets(Tokens& tokens, char open, char close) {
  for (int depth = 1; depth > 0;) {
    const Token token = tokens.Next();
    if (token.kind == Token::Kind::kEnd) return false;
    if (token.Is(open)) ++depth;
    if (token.Is(close)) --depth;
  }
  return true;
}

// Copies of the module's variables, one for each function. Compiled code has a few hundred of them.
constexpr std::uint64_t kMostCopies = 5'000'000;

bool IsLineDirective(std::string_view word) {
  return word == ".version" || word == ".target" || word == ".address_size" || word == ".loc" ||
         word == ".file";
}

}  // namespace

Module::Module(std::string_view text) : text_(text) {
  Tokens tokens(text);
  line_end_ = tokens.line_end();
  Entry open;
  bool is_function = false;
  for (Token token = tokens.Next(); token.kind != Token::Kind::kEnd;) {
    const std::size_t begin = tokens.position() - token.text.size();
    if (token.text == ".version") {
      const Token number = tokens.Next();
      version_ = VersionFromString(number.text);
      is_cut_ = !tokens.SkipLine() || is_cut_;
    } else if (token.kind == Token::Kind::kWord && IsLineDirective(token.text)) {
      is_cut_ = !tokens.SkipLine() || is_cut_;
    } else if (token.text == ".pragma") {  // which may stand between a signature and its body
      while (!token.Is(';') && token.kind != Token::Kind::kEnd) token = tokens.Next();
    } else if (token.text == ".entry" || token.text == ".func") {
      is_function = true;
      open = {{}, token.text == ".entry", token.line, token.line, begin, begin};
    } else if (is_function && token.Is('(')) {
      is_cut_ = !SkipBrackets(tokens, '(', ')') || is_cut_;
    } else if (is_function && token.Is(';')) {
      is_function = false;  // a declaration
    } else if (token.Is('{')) {
      is_cut_ = !SkipBrackets(tokens, '{', '}') || is_cut_;
      if (is_function) {
        open.last_line = tokens.line();
        open.end = tokens.position();
        functions_.push_back(open);
      }
      is_function = false;
    } else if (is_function && open.name.empty() && token.kind == Token::Kind::kWord &&
               !token.text.starts_with('.')) {
      open.name = token.text;
    } else if (!is_function &&
               (token.text == ".global" || token.text == ".const" || token.text == ".shared")) {
      const Declaration one = ReadDeclaration(tokens, token);
      if (!one.symbol.name.empty()) globals_.push_back(one.symbol);
      if (one.last.Is('{')) is_cut_ = !SkipBrackets(tokens, '{', '}') || is_cut_;
    }
    token = tokens.Next();
  }
  is_cut_ = is_cut_ || tokens.is_cut();
  if (globals_.size() * std::uint64_t{functions_.size()} > kMostCopies) globals_.clear();
  by_name_.resize(functions_.size());
  std::iota(by_name_.begin(), by_name_.end(), 0U);
  std::ranges::stable_sort(by_name_, {}, [&](std::uint32_t i) { return functions_[i].name; });
}

const Module::Entry* Module::At(std::uint32_t line) const {
  auto found = std::ranges::upper_bound(functions_, line, {}, &Entry::first_line);
  if (found == functions_.begin()) return nullptr;
  --found;
  return line <= found->last_line ? &*found : nullptr;
}

const Module::Entry* Module::Find(std::string_view name) const {
  const auto name_of = [&](std::uint32_t i) { return functions_[i].name; };
  const auto found = std::ranges::lower_bound(by_name_, name, {}, name_of);
  const bool is_there = found != by_name_.end() && name_of(*found) == name;
  return is_there ? &functions_[*found] : nullptr;
}

Function Module::Read(const Entry& entry) const {
  Tokens tokens(text_.substr(entry.begin, entry.end - entry.begin), line_end_, entry.first_line);
  Function function = ReadFunction(tokens, globals_);
  if (!loaded_.empty()) NoteKeptBytes(function);
  return function;
}

void Module::NoteLoad(std::uint32_t line, std::uint32_t bytes) {
  const auto [entry, is_new] = loaded_.try_emplace(line, bytes, bytes);
  entry->second.first = std::min(entry->second.first, bytes);
  entry->second.second = std::max(entry->second.second, bytes);
}

void Module::NoteKeptBytes(Function& function) const {
  Instruction* before = nullptr;
  for (Instruction& one : function.instructions) {
    if (!IsGlobalAccess(one)) continue;
    const bool shares_line = before != nullptr && before->line == one.line;
    if (shares_line) {  // nobody knows which one is meant
      before->kept_bytes = 0;
      before->is_kept_unevenly = false;
    }
    before = &one;
    const auto found =
        one.code.op == Op::kLd && !shares_line ? loaded_.find(one.line) : loaded_.end();
    if (found == loaded_.end()) continue;
    const auto [least, most] = found->second;
    if (most < WidthOf(function, one)) one.kept_bytes = static_cast<std::uint8_t>(most);
    one.is_kept_unevenly = least < most;
  }
}

}  // namespace coalcheck::ptx
