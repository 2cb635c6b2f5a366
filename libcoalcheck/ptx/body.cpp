// SPDX-License-Identifier: Apache-2.0
//
// A statement at a time: labels, declarations, and instructions with their operands.
#include "libcoalcheck/ptx/body.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "libcoalcheck/ptx/declaration.h"
#include "libcoalcheck/ptx/numbers.h"
#include "libcoalcheck/ptx/operands.h"
#include "libcoalcheck/ptx/scopes.h"

namespace coalcheck::ptx {
namespace {

constexpr std::size_t kMostTargets = 1U << 16U;  // of all jump tables of a function

class Body {
 public:
  Body(Tokens& tokens, const std::vector<Symbol>& globals)
      : tokens_(tokens), scopes_(function_.registers), operands_(tokens, function_, scopes_) {
    function_.symbols = globals;
    for (std::uint32_t i = 0; i < globals.size(); ++i) scopes_.DeclareGlobal(globals[i].name, i);
  }

  Function Read() && {
    ReadSignature();
    Statements();
    Resolve();
    for (const OperandReader::Name& one : operands_.names()) function_.names.push_back(one.text);
    return std::move(function_);
  }

 private:
  Token Take() {
    token_ = tokens_.Next();
    return token_;
  }

  void ReadSignature() {
    function_.is_kernel = Take().text == ".entry";
    bool has_name = false;
    while (!Take().Is('{') && token_.kind != Token::Kind::kEnd) {
      if (token_.Is('(')) {
        ReadParameters(has_name);
      } else if (token_.text == ".maxntid") {
        ReadThreads(function_.max_threads);
      } else if (token_.text == ".reqntid") {
        ReadThreads(function_.required_threads);
      } else if (token_.text == ".reqnctapercluster") {
        ReadThreads(function_.required_cluster);
      } else if (!has_name && token_.kind == Token::Kind::kWord && !token_.text.starts_with('.')) {
        function_.name = token_.text;
        has_name = true;
      }
    }
    function_.first_line = token_.line;
    function_.is_complete = token_.Is('{');
  }

  // `128, 1, 1`, one to three numbers.
  void ReadThreads(std::uint32_t (&threads)[3]) {
    for (std::uint32_t& one : threads) one = 1;
    for (std::uint32_t& one : threads) {
      const Tokens before = tokens_;
      const std::optional<std::uint64_t> number = NumberFromString(Take().text);
      if (!number) {
        tokens_ = before;
        return;
      }
      one = static_cast<std::uint32_t>(std::min<std::uint64_t>(*number, 1U << 20U));
      const Tokens behind = tokens_;
      if (!Take().Is(',')) {
        tokens_ = behind;
        return;
      }
    }
  }

  // A kernel's parameters lie one behind the other, each aligned as it wants.
  void ReadParameters(bool are_of_function) {
    std::uint64_t end = 0;
    while (!token_.Is(')') && token_.kind != Token::Kind::kEnd) {
      if (Take().text != ".param") continue;
      Declaration one = ReadDeclaration(tokens_, token_);
      token_ = one.last;
      if (one.symbol.name.empty()) continue;
      if (are_of_function) end = AddParameter(end, one);
      if (!are_of_function) ++function_.results;
      AddSymbol(one.symbol);
    }
  }

  // Returns where the next one may begin.
  std::uint64_t AddParameter(std::uint64_t end, Declaration& one) {
    constexpr std::uint64_t kMost = 1U << 20U;  // far more than a launch may have
    const std::uint64_t align =
        std::clamp<std::uint64_t>(std::max<std::uint64_t>(one.align, one.type.bytes), 1, kMost);
    const std::uint64_t offset = std::min((end + align - 1) / align * align, kMost);
    const std::uint64_t bytes = std::min(one.symbol.bytes, kMost);
    one.symbol.parameter = static_cast<std::uint32_t>(function_.parameters.size());
    function_.parameters.push_back({one.symbol.name, one.type, static_cast<std::uint32_t>(offset),
                                    static_cast<std::uint32_t>(bytes)});
    return offset + bytes;
  }

  void AddSymbol(const Symbol& symbol) {
    scopes_.DeclareSymbol(symbol.name, static_cast<std::uint32_t>(function_.symbols.size()));
    function_.symbols.push_back(symbol);
  }

  void Statements() {
    int depth = 1;
    while (depth > 0) {
      if (Take().kind == Token::Kind::kEnd) {
        function_.is_complete = false;
        break;
      }
      if (token_.Is('{')) {
        ++depth;
        is_readable_ = is_readable_ && scopes_.Enter();
      } else if (token_.Is('}')) {
        if (--depth > 0) scopes_.Leave();
      } else {
        Statement();
      }
      if (!is_readable_ || function_.instructions.size() >= kMostInstructions) {
        function_.is_complete = false;
        break;
      }
    }
    function_.last_line = token_.line;
  }

  void Statement() {
    if (token_.Is(';')) return;
    if (token_.Is('@')) return Guarded();
    if (token_.kind != Token::Kind::kWord) return SkipStatement();
    if (token_.text == ".reg") return Registers();
    if (token_.text == ".loc" || token_.text == ".file") {
      is_readable_ = tokens_.SkipLine() && is_readable_;
      return;
    }
    if (SpaceOfDirective(token_.text)) return Variable();
    if (token_.text.starts_with('.')) return SkipStatement();
    const Token word = token_;
    const Tokens behind = tokens_;
    if (Take().Is(':')) {
      const auto here = static_cast<std::uint32_t>(function_.instructions.size());
      is_readable_ = is_readable_ && scopes_.DefineLabel(word.text, here);
      return Targets(word.text);
    }
    tokens_ = behind;
    token_ = word;
    ReadInstruction(kNone, false);
  }

  // `name: .branchtargets a, b;`
  void Targets(std::string_view name) {
    const Tokens before = tokens_;
    if (Take().text != ".branchtargets") {
      tokens_ = before;
      return;
    }
    const auto number = static_cast<std::uint32_t>(target_lists_.size());
    scopes_.DefineTargets(name, number);
    TargetList& list = target_lists_.emplace_back();
    list.block = scopes_.current();
    while (!Take().Is(';') && token_.kind != Token::Kind::kEnd) {
      if (token_.kind == Token::Kind::kWord) list.names.push_back(token_.text);
    }
  }

  void SkipStatement() {
    while (!token_.Is(';') && !token_.Is('}') && token_.kind != Token::Kind::kEnd) Take();
  }

  // `.reg .b32 a, %r<4>;`
  void Registers() {
    Take();
    while (!token_.Is(';') && token_.kind != Token::Kind::kEnd) {
      const Token name = token_;
      Take();
      if (name.kind != Token::Kind::kWord || name.text.starts_with('.')) continue;
      if (!token_.Is('<')) {
        scopes_.DeclareRegister(name.text);
        continue;
      }
      const std::optional<std::uint64_t> count = NumberFromString(Take().text);
      if (count) scopes_.DeclareRegisters(name.text, *count);
    }
  }

  void Variable() {
    const Declaration one = ReadDeclaration(tokens_, token_);
    token_ = one.last;
    if (!one.symbol.name.empty()) AddSymbol(one.symbol);
    SkipStatement();
  }

  void Guarded() {
    bool negated = false;
    if (Take().Is('!')) {
      negated = true;
      Take();
    }
    if (token_.kind != Token::Kind::kWord) return SkipStatement();
    const std::uint32_t guard = scopes_.Register(token_.text);
    if (Take().kind != Token::Kind::kWord) return SkipStatement();
    ReadInstruction(guard, negated);
  }

  void ReadInstruction(std::uint32_t guard, bool negated) {
    Instruction one;
    one.code = ReadOpcode(token_.text);
    one.text = token_.text;
    one.line = token_.line;
    one.guard = guard;
    one.guard_negated = negated;
    one.is_uniform = token_.text.ends_with(".uni");
    Tokens behind = tokens_;
    if (behind.Next().text.starts_with('.')) is_readable_ = false;  // an opcode in several words
    token_ = operands_.ReadAll(one);
    function_.instructions.push_back(one);
  }

  // Turns names into labels, now that all are known.
  void Resolve() {
    for (const Instruction& one : function_.instructions) {
      for (std::uint32_t i = 0; i < one.operand_count; ++i) {
        Operand& operand = function_.operands[one.first_operand + i];
        if (operand.kind == Operand::Kind::kName) ResolveName(one, operand);
      }
      if (named_targets_ > kMostTargets) {
        function_.is_complete = false;
        return;
      }
    }
  }

  // An indirect branch takes a list and nothing else.
  void ResolveName(const Instruction& one, Operand& operand) {
    const OperandReader::Name& name = operands_.names()[operand.id];
    const bool is_switch = one.code.op == Op::kBrx;
    const auto found = is_switch ? scopes_.TargetsFrom(name.block, name.text)
                                 : scopes_.LabelFrom(name.block, name.text);
    if (!found) return;
    if (is_switch) named_targets_ += 1 + target_lists_[*found].names.size();
    if (named_targets_ > kMostTargets) return;
    operand.kind = Operand::Kind::kLabel;
    operand.id = is_switch ? FirstOf(target_lists_[*found]) : *found;
  }

  struct TargetList {
    std::uint32_t block = 0;  // where it stands
    std::vector<std::string_view> names;
    std::uint32_t first = kNone;  // in Function::targets, once it was asked for
  };

  std::uint32_t FirstOf(TargetList& list) {
    if (list.first != kNone) return list.first;
    list.first = static_cast<std::uint32_t>(function_.targets.size());
    for (const std::string_view name : list.names) {
      const auto label = scopes_.LabelFrom(list.block, name);
      if (label) function_.targets.push_back(*label);
    }
    function_.targets.push_back(kNone);
    return list.first;
  }

  Tokens& tokens_;
  Token token_;
  Function function_;
  Scopes scopes_;
  OperandReader operands_;
  std::vector<TargetList> target_lists_;
  std::size_t named_targets_ = 0;  // by all indirect branches
  bool is_readable_ = true;
};

}  // namespace

Function ReadFunction(Tokens& tokens, const std::vector<Symbol>& globals) {
  return Body(tokens, globals).Read();
}

}  // namespace coalcheck::ptx
