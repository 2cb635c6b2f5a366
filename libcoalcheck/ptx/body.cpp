// SPDX-License-Identifier: Apache-2.0
//
// A statement at a time: labels, declarations, and instructions with their operands.
#include "libcoalcheck/ptx/body.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "libcoalcheck/ptx/declaration.h"
#include "libcoalcheck/ptx/numbers.h"
#include "libcoalcheck/ptx/special.h"

namespace coalcheck::ptx {
namespace {

constexpr std::size_t kMostTargets = 1U << 16U;  // of all jump tables of a function
constexpr std::size_t kMostOperands = 64;        // of one instruction; the widest have under forty

class Body {
 public:
  Body(Tokens& tokens, const std::vector<Symbol>& globals) : tokens_(tokens) {
    function_.symbols = globals;
    for (std::uint32_t i = 0; i < globals.size(); ++i) symbols_[globals[i].name] = i;
  }

  Function Read() && {
    ReadSignature();
    Statements();
    Resolve();
    function_.names = std::move(names_);
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
    symbols_[symbol.name] = static_cast<std::uint32_t>(function_.symbols.size());
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
        scopes_.push_back(shadowed_.size());
      } else if (token_.Is('}')) {
        if (--depth > 0) LeaveScope();
      } else {
        Statement();
      }
      if (function_.instructions.size() >= kMostInstructions) {
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
    if (token_.text == ".loc" || token_.text == ".file") return tokens_.SkipLine();
    if (SpaceOfDirective(token_.text)) return Variable();
    if (token_.text.starts_with('.')) return SkipStatement();
    const Token word = token_;
    const Tokens behind = tokens_;
    if (Take().Is(':')) {
      labels_[word.text] = static_cast<std::uint32_t>(function_.instructions.size());
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
    std::vector<std::string_view>& list = target_lists_[name];
    while (!Take().Is(';') && token_.kind != Token::Kind::kEnd) {
      if (token_.kind == Token::Kind::kWord) list.push_back(token_.text);
    }
  }

  void SkipStatement() {
    while (!token_.Is(';') && !token_.Is('}') && token_.kind != Token::Kind::kEnd) Take();
  }

  // Names of registers in a block of braces hide those outside.
  void Registers() {
    if (scopes_.empty()) return SkipStatement();
    while (!Take().Is(';') && token_.kind != Token::Kind::kEnd) {
      if (token_.kind != Token::Kind::kWord || token_.text.starts_with('.')) continue;
      const auto old = registers_.find(token_.text);
      shadowed_.emplace_back(token_.text, old == registers_.end() ? kNone : old->second);
      registers_[token_.text] = NewRegister(token_.text);
    }
  }

  void LeaveScope() {
    if (scopes_.empty()) return;
    while (shadowed_.size() > scopes_.back()) {
      const auto& [name, id] = shadowed_.back();
      if (id == kNone) {
        registers_.erase(name);
      } else {
        registers_[name] = id;
      }
      shadowed_.pop_back();
    }
    scopes_.pop_back();
  }

  void Variable() {
    const Declaration one = ReadDeclaration(tokens_, token_);
    token_ = one.last;
    if (!one.symbol.name.empty()) AddSymbol(one.symbol);
    SkipStatement();
  }

  std::uint32_t NewRegister(std::string_view name) {
    function_.registers.push_back(name);
    return static_cast<std::uint32_t>(function_.registers.size() - 1);
  }

  std::uint32_t Register(std::string_view name) {
    const auto [entry, is_new] = registers_.try_emplace(name, 0);
    if (is_new) entry->second = NewRegister(name);
    return entry->second;
  }

  void Guarded() {
    bool negated = false;
    if (Take().Is('!')) {
      negated = true;
      Take();
    }
    if (token_.kind != Token::Kind::kWord) return SkipStatement();
    const std::uint32_t guard = Register(token_.text);
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
    std::vector<Operand> operands;
    while (!Take().Is(';') && !token_.Is('}') && token_.kind != Token::Kind::kEnd) {
      if (token_.Is(',')) continue;
      const Operand operand = ReadOperand();
      if (operands.size() < kMostOperands) operands.push_back(operand);
    }
    one.first_operand = static_cast<std::uint32_t>(function_.operands.size());
    one.operand_count = static_cast<std::uint32_t>(operands.size());
    function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
    function_.instructions.push_back(one);
  }

  Operand ReadOperand() {
    if (token_.Is('|')) Take();
    if (token_.Is('[')) return Memory();
    if (token_.Is('{')) return Vector('}');
    if (token_.Is('(')) return Vector(')');
    return Simple();
  }

  Operand Vector(char close) {
    std::vector<Operand> elements;
    while (!Take().Is(close) && !token_.Is(';') && token_.kind != Token::Kind::kEnd) {
      if (token_.Is(',')) continue;
      const Operand element = Simple();
      if (elements.size() < kMostOperands) elements.push_back(element);
    }
    Operand vector;
    vector.kind = Operand::Kind::kVector;
    vector.id = static_cast<std::uint32_t>(function_.elements.size());
    vector.count = static_cast<std::uint16_t>(elements.size());
    function_.elements.insert(function_.elements.end(), elements.begin(), elements.end());
    return vector;
  }

  // `[%rd1+8]`, `[name+4]`, `[%rd1]`, and what tensor copies have: `[%rd1, {%r1, %r2}]`.
  Operand Memory() {
    Take();
    Operand operand = token_.Is(']') ? Operand() : Simple();
    operand.is_memory = true;
    while (!token_.Is(']') && !token_.Is(';') && token_.kind != Token::Kind::kEnd) {
      Take();
    }
    return operand;
  }

  // A register, number, symbol with an offset, label or name; with a sign before or a `!`.
  Operand Simple() {
    bool minus = false;
    Operand operand;
    while (token_.Is('-') || token_.Is('!') || token_.Is('+')) {
      minus = minus != token_.Is('-');
      operand.is_negated = operand.is_negated != token_.Is('!');
      Take();
    }
    if (token_.kind == Token::Kind::kNumber) {
      const std::optional<std::uint64_t> bits = NumberFromString(token_.text);
      if (!bits) return operand;
      operand.kind = Operand::Kind::kImmediate;
      operand.value = static_cast<std::int64_t>(minus ? 0 - *bits : *bits);
      return operand;
    }
    if (token_.kind != Token::Kind::kWord || token_.text == "_") return operand;
    Named(token_.text, operand);
    AddOffset(operand);
    return operand;
  }

  void Named(std::string_view name, Operand& operand) {
    const auto set = [&](Operand::Kind kind, std::uint32_t id) {
      operand.kind = kind;
      operand.id = id;
    };
    if (const auto symbol = symbols_.find(name); symbol != symbols_.end()) {
      return set(Operand::Kind::kSymbol, symbol->second);
    }
    if (registers_.contains(name)) return set(Operand::Kind::kRegister, Register(name));
    if (const auto special = SpecialFromString(name)) {
      return set(Operand::Kind::kSpecial, static_cast<std::uint32_t>(*special));
    }
    if (name.starts_with('%')) return set(Operand::Kind::kRegister, Register(name));
    // A label may come later, so its name is kept until all are known.
    set(Operand::Kind::kName, static_cast<std::uint32_t>(names_.size()));
    names_.push_back(name);
  }

  // `+4`, `+-4`, `-4` behind a name.
  void AddOffset(Operand& operand) {
    Tokens before = tokens_;
    bool minus = false;
    Token sign = tokens_.Next();
    if (!sign.Is('+') && !sign.Is('-')) {
      tokens_ = before;
      return;
    }
    while (sign.Is('+') || sign.Is('-')) {
      minus = minus != sign.Is('-');
      sign = tokens_.Next();
    }
    const std::optional<std::uint64_t> bits =
        sign.kind == Token::Kind::kNumber ? NumberFromString(sign.text) : std::nullopt;
    if (!bits) {
      tokens_ = before;
      return;
    }
    operand.value = static_cast<std::int64_t>(minus ? 0 - *bits : *bits);
  }

  // Turns names into labels, now that all are known.
  void Resolve() {
    for (Instruction& one : function_.instructions) {
      for (std::uint32_t i = 0; i < one.operand_count; ++i) {
        Operand& operand = function_.operands[one.first_operand + i];
        if (operand.kind != Operand::Kind::kName) continue;
        const std::string_view name = names_[operand.id];
        const auto list = target_lists_.find(name);
        if (one.code.op == Op::kBrx) {
          // It takes a list and nothing else.
          if (list == target_lists_.end()) continue;
          if (function_.targets.size() + list->second.size() > kMostTargets) {
            function_.is_complete = false;
            return;
          }
          operand.id = static_cast<std::uint32_t>(function_.targets.size());
          for (const std::string_view target : list->second) AddTarget(target);
          function_.targets.push_back(kNone);
          operand.kind = Operand::Kind::kLabel;
        } else if (const auto label = labels_.find(name); label != labels_.end()) {
          operand.kind = Operand::Kind::kLabel;
          operand.id = label->second;
        }
      }
    }
  }

  void AddTarget(std::string_view name) {
    const auto label = labels_.find(name);
    if (label != labels_.end()) function_.targets.push_back(label->second);
  }

  Tokens& tokens_;
  Token token_;
  Function function_;
  absl::flat_hash_map<std::string_view, std::uint32_t> registers_;
  absl::flat_hash_map<std::string_view, std::uint32_t> symbols_;
  absl::flat_hash_map<std::string_view, std::uint32_t> labels_;
  absl::flat_hash_map<std::string_view, std::vector<std::string_view>> target_lists_;
  std::vector<std::string_view> names_;  // that operands of kind kName stand for
  std::vector<std::pair<std::string_view, std::uint32_t>> shadowed_;
  std::vector<std::size_t> scopes_;  // how many names were shadowed when each began
};

}  // namespace

Function ReadFunction(Tokens& tokens, const std::vector<Symbol>& globals) {
  return Body(tokens, globals).Read();
}

}  // namespace coalcheck::ptx
