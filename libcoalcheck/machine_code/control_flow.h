// SPDX-License-Identifier: Apache-2.0
//
// The basic blocks of one section of machine code, and the edges between them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "libcoalcheck/machine_code/instruction.h"

namespace coalcheck::machine_code {

// Instructions `begin` to before `end`, by number; only the last can change the flow of control.
// The successor of a call is the instruction behind it: the graph does not enter other functions.
struct Block {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool leaves = false;   // the function may end here, by EXIT, RET or a call of code that exits
  bool reached = false;  // from an entry
  std::vector<std::uint32_t> successors;
  std::vector<std::uint32_t> predecessors;
};

// Where jumps through a register lead: byte offset of the jump → byte offsets.
using JumpTables = std::map<std::int64_t, std::vector<std::int64_t>>;

struct ControlFlow {
  std::vector<Block> blocks;            // in the order of the code
  std::vector<std::uint32_t> block_of;  // by instruction
  bool readable = true;                 // false when the flow goes where it cannot be followed
  std::size_t ways = 0;                 // that were followed from block to block

  // The block of the instruction at a byte offset; empty where there is none.
  std::optional<std::uint32_t> BlockAt(std::int64_t offset) const;
};

// `entries`: byte offsets at which functions begin.
ControlFlow BuildControlFlow(std::span<const Instruction> code, const JumpTables& tables,
                             std::span<const std::int64_t> entries);

}  // namespace coalcheck::machine_code
