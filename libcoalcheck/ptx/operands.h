// SPDX-License-Identifier: Apache-2.0
//
// Reads the operands of an instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "libcoalcheck/ptx/module.h"
#include "libcoalcheck/ptx/scopes.h"
#include "libcoalcheck/ptx/tokens.h"

namespace coalcheck::ptx {

class OperandReader {
 public:
  // All have to outlive it.
  OperandReader(Tokens& tokens, Function& function, Scopes& scopes)
      : tokens_(tokens), function_(function), scopes_(scopes) {}

  // Gives the instruction, behind whose opcode the text is, its operands. What cannot be read is a
  // register that an instruction before it fills with what nobody knows. Returns the last token.
  Token ReadAll(Instruction& one);

  struct Name {
    std::string_view text;
    std::uint32_t block = 0;  // of Scopes, where it stands
  };
  // That operands of kind kName stand for.
  const std::vector<Name>& names() const { return names_; }

 private:
  Token Take() { return token_ = tokens_.Next(); }
  bool IsAtEnd() const;
  bool IsFollowedBy(std::string_view marks) const;
  void SkipTo(std::string_view marks);
  Operand Unknown(Token from);
  Operand ReadOne(const Instruction& one);
  Operand Vector(char close);
  Operand Memory();
  Operand Simple(bool is_memory);
  void Named(std::string_view name, Operand& operand);
  bool AddOffset(Operand& operand);
  bool IsNumberOf(std::string_view text, bool is_negative) const;

  Tokens& tokens_;
  Token token_;
  Opcode code_;  // of the instruction whose operands are read
  Function& function_;
  Scopes& scopes_;
  std::vector<Name> names_;
};

}  // namespace coalcheck::ptx
