// SPDX-License-Identifier: Apache-2.0
//
// nvcc writes the arrays of a program as bytes: `.const .align 4 .b8 table[12] = {1, 0, 0, 0, …}`.
#include "libcoalcheck/ptx/initial_constants.h"

#include <optional>
#include <string>

#include "libcoalcheck/ptx/numbers.h"
#include "libcoalcheck/ptx/tokens.h"

namespace coalcheck::ptx {
namespace {

constexpr std::uint64_t kMostBytes = 64 << 10;  // of constant memory in all

// Bits of one element; a decimal fraction is none, as it has another size than the element.
std::optional<std::uint64_t> Element(const Token& token) {
  if (token.kind != Token::Kind::kNumber || token.text.find('.') != std::string_view::npos) {
    return std::nullopt;
  }
  return NumberFromString(token.text);
}

// What the variable begins with, to its last element that is not 0 at least. Empty where something
// else than numbers in one pair of braces, or one number, stands there: an address, rows in braces
// of their own.
std::optional<std::string> BytesOf(const Initializer& initializer) {
  Tokens tokens(initializer.text, initializer.line_end, 1);
  std::string bytes;
  bool minus = false;
  std::uint32_t braces = 0;
  for (Token token = tokens.Next(); token.kind != Token::Kind::kEnd; token = tokens.Next()) {
    if (token.Is('-')) {
      minus = true;
    } else if (token.Is('{')) {
      if (++braces > 1) return std::nullopt;
    } else if (const auto bits = Element(token)) {
      std::uint64_t value = minus ? 0 - *bits : *bits;
      if (bytes.size() + initializer.element.bytes > kMostBytes) return std::nullopt;
      for (std::uint8_t i = 0; i < initializer.element.bytes; ++i, value >>= 8U) {
        bytes += static_cast<char>(value & 0xffU);
      }
      minus = false;
    } else if (!token.Is(',') && !token.Is('}')) {
      return std::nullopt;
    }
  }
  return bytes;
}

class Replacement {
 public:
  Replacement(const Initializers& initializers, Function& function)
      : initializers_(initializers), function_(function) {}

  void Of(Instruction& one) {
    const bool loads = one.code.op == Op::kLd && one.code.space == Space::kConst;
    if (!loads || one.code.vector != 1 || one.operand_count != 2) return;
    Operand& from = function_.operands[one.first_operand + 1];
    if (from.kind != Operand::Kind::kSymbol || from.value < 0) return;
    const auto bits = Load(from.id, static_cast<std::uint64_t>(from.value), one.code.type);
    if (!bits) return;
    from = {};
    from.kind = Operand::Kind::kImmediate;
    from.value = static_cast<std::int64_t>(*bits);
    const Type type = one.code.type;
    one.code = {};
    one.code.op = Op::kMov;
    one.code.type = type.bytes < 4 ? Type{Type::Kind::kBits, 4} : type;
    function_.has_constants = true;
  }

 private:
  // With its sign in all 64 bits, where it has one.
  std::optional<std::uint64_t> Load(std::uint32_t symbol, std::uint64_t at, Type type) {
    const std::string* bytes = Table(symbol);
    const bool is_in = at + type.bytes <= function_.symbols[symbol].bytes;
    if (bytes == nullptr || !is_in || type.bytes == 0 || type.bytes > 8) return std::nullopt;
    std::uint64_t bits = 0;
    for (std::uint8_t i = 0; i < type.bytes && at + i < bytes->size(); ++i) {
      bits |= std::uint64_t{static_cast<unsigned char>((*bytes)[at + i])} << (8U * i);
    }
    const std::uint32_t unused = 64U - 8U * type.bytes;
    if (!type.IsSigned()) return bits;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  // Null where it has none that can be read.
  const std::string* Table(std::uint32_t symbol) {
    const auto [entry, is_new] = tables_.try_emplace(symbol);
    const auto given = initializers_.find(symbol);
    if (is_new && given != initializers_.end()) entry->second = BytesOf(given->second);
    return entry->second ? &*entry->second : nullptr;
  }

  const Initializers& initializers_;
  Function& function_;
  std::map<std::uint32_t, std::optional<std::string>> tables_;
};

}  // namespace

void PutInConstants(const Initializers& initializers, Function& function) {
  if (initializers.empty()) return;
  Replacement replacement(initializers, function);
  for (Instruction& one : function.instructions) replacement.Of(one);
}

}  // namespace coalcheck::ptx
