// SPDX-License-Identifier: Apache-2.0
//
// Registers, numbers, names with offsets, vectors and addresses. Expressions are not computed, but
// for sums.
#include "libcoalcheck/ptx/operands.h"

#include <optional>

#include "libcoalcheck/ptx/numbers.h"
#include "libcoalcheck/ptx/special.h"

namespace coalcheck::ptx {
namespace {

// Of one instruction, or of one of its vectors: parts of matrices have up to 256.
constexpr std::size_t kMostOperands = 1024;

// Whether operands may be labels, functions or lists, which are known later.
bool MayNamePlaces(Op op) {
  return op == Op::kBra || op == Op::kBrx || op == Op::kCall || op == Op::kOther ||
         op == Op::kUnread;
}

// Without what selects a byte or a half of a register in video instructions: "%r1" of "%r1.b0".
std::string_view WithoutSelector(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const std::string_view selector = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  const bool is_one = selector.size() > 1 && (selector[0] == 'b' || selector[0] == 'h') &&
                      selector.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return is_one ? name.substr(0, dot) : name;
}

bool IsOneOf(const Token& token, std::string_view marks) {
  return token.kind == Token::Kind::kMark && marks.find(token.text[0]) != std::string_view::npos;
}

}  // namespace

bool OperandReader::IsAtEnd() const {
  return token_.Is(';') || token_.Is('}') || token_.kind == Token::Kind::kEnd;
}

bool OperandReader::IsFollowedBy(std::string_view marks) const {
  Tokens ahead = tokens_;
  const Token next = ahead.Next();
  return next.kind == Token::Kind::kEnd || IsOneOf(next, marks);
}

// What comes next is one of the marks, or ends the instruction.
void OperandReader::SkipTo(std::string_view marks) {
  int depth = 0;
  while (true) {
    Tokens ahead = tokens_;
    const Token next = ahead.Next();
    if (next.kind == Token::Kind::kEnd || IsOneOf(next, ";}")) return;
    if (depth <= 0 && IsOneOf(next, marks)) return;
    if (IsOneOf(next, "([")) ++depth;
    if (IsOneOf(next, ")]")) --depth;
    Take();
  }
}

// A register that holds something else each time.
Operand OperandReader::Unknown(Token from) {
  Instruction one;
  one.code.op = Op::kOfLane;
  one.code.type = {Type::Kind::kBits, 8};
  one.text = from.text;
  one.line = from.line;
  one.first_operand = static_cast<std::uint32_t>(function_.operands.size());
  one.operand_count = 1;
  Operand operand;
  operand.kind = Operand::Kind::kRegister;
  operand.id = static_cast<std::uint32_t>(function_.registers.size());
  function_.registers.emplace_back("unreadable");
  function_.operands.push_back(operand);
  function_.instructions.push_back(one);
  return operand;
}

Token OperandReader::ReadAll(Instruction& one) {
  code_ = one.code;
  std::vector<Operand> operands;
  while (Take(), !IsAtEnd()) {
    if (token_.Is(',')) continue;
    const Token from = token_;
    Operand operand = ReadOne(one);
    if (operands.size() >= kMostOperands) {
      function_.is_complete = false;
      SkipTo(",");
      continue;
    }
    // Of `d|p` both are results; behind a number a bar is an operation.
    const bool is_number = operand.kind == Operand::Kind::kImmediate;
    if (!IsAtEnd() && !IsFollowedBy(is_number ? ",;}" : ",;}|")) {
      const bool is_second = operand.is_second;
      const bool is_memory = operand.is_memory;
      SkipTo(",");
      operand = Unknown(from);
      operand.is_second = is_second;
      operand.is_memory = is_memory;
    }
    operands.push_back(operand);
    if (token_.Is(';')) break;  // within brackets that nothing closes
  }
  one.first_operand = static_cast<std::uint32_t>(function_.operands.size());
  one.operand_count = static_cast<std::uint32_t>(operands.size());
  function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
  return token_;
}

Operand OperandReader::ReadOne(const Instruction& one) {
  const bool is_second = token_.Is('|');
  if (is_second) Take();
  Operand operand;
  if (token_.Is('[')) {
    operand = Memory();
  } else if (token_.Is('{')) {
    operand = Vector('}');
  } else if (token_.Is('(') && one.code.op == Op::kCall) {
    operand = Vector(')');
  } else {
    operand = Simple(false);
  }
  operand.is_second = is_second;
  return operand;
}

Operand OperandReader::Vector(char close) {
  std::vector<Operand> elements;
  const std::string_view ends = close == '}' ? ",}" : ",)";
  while (!Take().Is(close) && !token_.Is(';') && token_.kind != Token::Kind::kEnd) {
    if (token_.Is(',')) continue;
    const Token from = token_;
    Operand element = Simple(false);
    if (!IsFollowedBy(ends)) element = Unknown(from);
    if (elements.size() < kMostOperands) {
      elements.push_back(element);
    } else {
      function_.is_complete = false;
    }
    SkipTo(ends);
  }
  Operand vector;
  vector.kind = Operand::Kind::kVector;
  vector.id = static_cast<std::uint32_t>(function_.elements.size());
  vector.count = static_cast<std::uint16_t>(elements.size());
  function_.elements.insert(function_.elements.end(), elements.begin(), elements.end());
  return vector;
}

// `[%rd1+8]`, `[name+4]`, `[%rd1]`, and what tensor copies have: `[%rd1, {%r1, %r2}]`.
Operand OperandReader::Memory() {
  const Token from = Take();
  Operand operand = token_.Is(']') ? Unknown(from) : Simple(true);
  if (!token_.Is(']') && !IsFollowedBy("],")) operand = Unknown(from);
  operand.is_memory = true;
  while (!token_.Is(']') && !token_.Is(';') && token_.kind != Token::Kind::kEnd) Take();
  return operand;
}

// A register, number, symbol with an offset, label or name; with a sign before or a `!`.
Operand OperandReader::Simple(bool is_memory) {
  const Token from = token_;
  bool minus = false;
  Operand operand;
  while (token_.Is('-') || token_.Is('!') || token_.Is('+')) {
    minus = minus != token_.Is('-');
    operand.is_negated = operand.is_negated != token_.Is('!');
    Take();
  }
  if (token_.kind == Token::Kind::kNumber) {
    const std::optional<std::uint64_t> bits = NumberFromString(token_.text);
    if (!bits || operand.is_negated || !IsNumberOf(token_.text, minus)) return Unknown(from);
    operand.kind = Operand::Kind::kImmediate;
    operand.value = static_cast<std::int64_t>(minus ? 0 - *bits : *bits);
    return AddOffset(operand) ? operand : Unknown(from);
  }
  if (token_.kind != Token::Kind::kWord || minus) return Unknown(from);
  if (token_.text == "_") return operand;
  Named(token_.text, operand);
  const bool is_added = AddOffset(operand);
  const bool may_be_added = is_memory || operand.kind == Operand::Kind::kSymbol;
  return is_added && (may_be_added || operand.value == 0) ? operand : Unknown(from);
}

void OperandReader::Named(std::string_view name, Operand& operand) {
  const auto set = [&](Operand::Kind kind, std::uint32_t id) {
    operand.kind = kind;
    operand.id = id;
  };
  if (const auto found = scopes_.Find(name)) {
    return set(found->is_symbol ? Operand::Kind::kSymbol : Operand::Kind::kRegister, found->id);
  }
  if (const auto special = SpecialFromString(name)) {
    return set(Operand::Kind::kSpecial, static_cast<std::uint32_t>(*special));
  }
  // No instruction that is computed has any: what comes of this one is unknown.
  const std::string_view whole = WithoutSelector(name);
  const bool is_computed = code_.op != Op::kOther && code_.op != Op::kUnread;
  if (whole != name && !is_computed) return Named(whole, operand);
  const bool has_number = name.back() >= '0' && name.back() <= '9';
  const bool is_numbered = has_number && name.find('.') == std::string_view::npos;
  if (name.starts_with('%') && is_numbered) {  // which a text may leave undeclared
    return set(Operand::Kind::kRegister, scopes_.Register(name));
  }
  // As an element of a register of several, `%v.x`, or all of a special one, `%tid`.
  if (name.starts_with('%') || !MayNamePlaces(code_.op)) {
    operand = Unknown(token_);
    return;
  }
  // A label may come later, so its name is kept until all are known.
  set(Operand::Kind::kName, static_cast<std::uint32_t>(names_.size()));
  names_.push_back({name, scopes_.current()});
}

// Whether the bits of a number are those that the instruction takes: decimal fractions have none
// yet, and those of a float are of one width.
bool OperandReader::IsNumberOf(std::string_view text, bool is_negative) const {
  if (text.find('.') != std::string_view::npos) return false;
  const bool is_float = text.starts_with("0f") || text.starts_with("0F");
  const bool is_double = text.starts_with("0d") || text.starts_with("0D");
  if (!is_float && !is_double) return true;
  return !is_negative && code_.type.bytes == (is_float ? 4 : 8);
}

// `+4`, `+-4`, `-4`, as often as there are, behind a name or number. False where something else
// stands behind a sign.
bool OperandReader::AddOffset(Operand& operand) {
  while (IsFollowedBy("+-")) {
    bool minus = false;
    while (IsFollowedBy("+-")) {
      if (Take().kind == Token::Kind::kEnd) return false;
      minus = minus != token_.Is('-');
    }
    Tokens ahead = tokens_;
    const Token number = ahead.Next();
    const std::optional<std::uint64_t> bits =
        number.kind == Token::Kind::kNumber ? NumberFromString(number.text) : std::nullopt;
    if (!bits) return false;
    Take();
    operand.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.value) +
                                              (minus ? 0 - *bits : *bits));
  }
  return true;
}

}  // namespace coalcheck::ptx
