// SPDX-License-Identifier: Apache-2.0
//
// Which instructions of a function its addresses and its control flow depend on.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

// How many of the operands are results; they come first.
std::size_t Results(const Function& function, const Instruction& instruction);

// The registers that an instruction writes: the first operands, with both parts of `d|p` and all
// elements of a vector. One of a name that is not known may write all of its registers.
std::vector<std::uint32_t> Writes(const Function& function, const Instruction& instruction);

// The registers that it reads, its guard among them, and the register of an address in brackets.
std::vector<std::uint32_t> Reads(const Function& function, const Instruction& instruction);

// Whether it reads or writes global memory, or may: generic addresses count.
bool IsGlobalAccess(const Instruction& instruction);

// The same, or an instruction that coalcheck does not follow and that may read or write it:
// wmma.load, multimem, texels, and those of names that are not known.
bool MayAccessGlobal(const Function& function, const Instruction& instruction);

// The operand in brackets that names global memory; null where there is none.
const Operand* GlobalAddress(const Function& function, const Instruction& instruction);

// Of an asynchronous copy, what says how many bytes it reads: the others of its lane are filled
// with zeros (PTX ISA, cp.async: src-size), or a predicate: where it holds nothing is read
// (ignore-src). Null where all are read, and where a register's name does not tell which of the two
// it is.
const Operand* BytesRead(const Function& function, const Instruction& copy);

// Whether compilers name predicates so: %p and a number. How registers were declared is not kept.
bool IsPredicate(const Function& function, const Operand& operand);

// Bytes that each lane of such an access asks for; 0 where the text does not say, or says what no
// access is.
std::uint32_t WidthOf(const Function& function, const Instruction& access);

// What decides the addresses of global memory, and which lanes take part. A branch that is in no
// slice leads to its block's post-dominator: nothing on its ways matters.
struct Slice {
  std::vector<bool> instructions;  // the accesses among them, and what is taken in any case
  std::vector<bool> registers;     // whose values matter
  // Operations without what they compute with, as data decide the result in any case: by
  // instruction, and which load does.
  absl::flat_hash_map<std::uint32_t, std::uint32_t> of_data;
};

// Which operations are in `of_data`: none; those on floats; and all that decide no address, but
// which lanes take part.
enum class LeavesOut : std::uint8_t { kNothing, kFloats, kConditions };

// Of these accesses alone, where `accesses` is not null.
Slice AddressSlice(const Function& function, const ControlFlow& flow,
                   const std::set<std::uint32_t>* accesses = nullptr,
                   LeavesOut leaves_out = LeavesOut::kNothing);

}  // namespace coalcheck::ptx
