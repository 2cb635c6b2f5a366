// SPDX-License-Identifier: Apache-2.0
//
// PTX as data: functions, their parameters, and instructions with operands by number.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "libcoalcheck/ptx/opcode.h"

namespace coalcheck::ptx {

// Everything here is an index into a list of the same function; kNone is none of them.
inline constexpr std::uint32_t kNone = 0xffffffff;

// What `%tid.x` and its like hold.
enum class Special : std::uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneid,
  kWarpid,
  kNwarpid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kClusterCtaidX,
  kClusterCtaidY,
  kClusterCtaidZ,
  kClusterNctaidX,
  kClusterNctaidY,
  kClusterNctaidZ,
  kClusteridX,
  kClusteridY,
  kClusteridZ,
  kNclusteridX,
  kNclusteridY,
  kNclusteridZ,
  kClusterCtarank,
  kClusterNctarank,
  kDynamicSharedSize,
  kTotalSharedSize,
  kWarpSize,
  kOther,  // clocks, the multiprocessor's number, performance counters
};

struct Operand {
  enum class Kind : std::uint8_t {
    kNothing,    // `_`, or what could not be read
    kRegister,   // id: the register
    kImmediate,  // value: its bits, sign-extended; of a float literal its pattern
    kSpecial,    // id: a Special
    kSymbol,     // id: the symbol; value: bytes behind its start
    kVector,     // id: the first of `count` elements in Function::elements
    kLabel,      // id: the instruction it stands before
    kName,       // id: in Function::names; a function, or a name that nothing declares
  };
  Kind kind = Kind::kNothing;
  bool is_memory = false;   // in brackets; `value` bytes are added to what the rest says
  bool is_negated = false;  // `!%p1`
  bool is_second = false;   // behind a bar: of `d|p` the second result
  std::uint16_t count = 0;
  std::uint32_t id = kNone;
  std::int64_t value = 0;
};

struct Instruction {
  Opcode code;
  std::uint32_t line = 0;       // 1-based, in the text
  std::uint32_t guard = kNone;  // the predicate register that lets a lane take part
  bool guard_negated = false;
  bool is_uniform = false;  // `bra.uni`
  // Of each lane of a load, where the assembler kept only a part of them; 0: it kept all.
  std::uint8_t kept_bytes = 0;
  bool is_kept_unevenly = false;  // its copies keep different parts
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
  std::string_view text;  // the opcode as written
};

struct Parameter {
  std::string_view name;
  Type type;
  std::uint32_t offset = 0;  // of its first byte in the block of parameters
  std::uint32_t bytes = 0;   // all elements of an array
};

// A variable of a function or module: shared memory, the local stack, a `.param` of a call.
struct Symbol {
  std::string_view name;
  Space space = Space::kOther;
  std::uint64_t bytes = 0;          // 0 when it has no size of its own
  std::uint32_t parameter = kNone;  // of the function itself, where it is one of those
};

struct Function {
  std::string_view name;  // mangled
  bool is_kernel = false;
  std::uint32_t first_line = 0;  // of its body, and the last one
  std::uint32_t last_line = 0;
  std::vector<Parameter> parameters;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<Operand> elements;  // of vectors
  std::vector<Symbol> symbols;
  std::vector<std::string_view> registers;  // their names
  std::vector<std::string_view> names;      // of operands of kind kName
  // Of the text of functions whose calls were replaced, and a few for each variable of the module
  // whenever one of them was read.
  std::size_t inlined_bytes = 0;
  std::size_t inlined_calls = 0;       // that were replaced
  std::vector<std::uint32_t> targets;  // of all brx.idx, by instruction; kNone ends a list
  // How many variables its callers read from it: the symbols right behind the module's own.
  std::uint32_t results = 0;
  bool is_complete = true;  // false when it is longer than the reader's bounds, or cut off
  std::uint32_t max_threads[3] = {0, 0, 0};       // .maxntid, 0: not said
  std::uint32_t required_threads[3] = {0, 0, 0};  // .reqntid
  std::uint32_t required_cluster[3] = {0, 0, 0};  // .reqnctapercluster, in blocks

  std::span<const Operand> OperandsOf(const Instruction& instruction) const {
    return std::span(operands).subspan(instruction.first_operand, instruction.operand_count);
  }
  // Whether the operands begin with two results, `d|p`.
  bool HasTwoResults(const Instruction& instruction) const {
    return instruction.operand_count > 1 && operands[instruction.first_operand + 1].is_second;
  }
  std::span<const Operand> ElementsOf(const Operand& vector) const {
    return std::span(elements).subspan(vector.id, vector.count);
  }
};

// What the reader looks at of a function, at most: more is left out and said.
inline constexpr std::size_t kMostInstructions = 1U << 20U;

}  // namespace coalcheck::ptx
