// SPDX-License-Identifier: Apache-2.0
//
// The control-flow graph of a function: basic blocks, dominators, post-dominators, loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

struct Block {
  std::uint32_t first = 0;  // instructions [first, end)
  std::uint32_t end = 0;
  std::vector<std::uint32_t> next;       // blocks it may go on to; the branch taken comes first
  std::vector<std::uint32_t> previous;   // blocks it may come from
  std::uint32_t dominator = kNone;       // immediate; kNone for the entry and what is unreachable
  std::uint32_t post_dominator = kNone;  // immediate; kNone: the end of the function
  std::uint32_t loop = kNone;            // innermost
  bool may_end = false;                  // the function may end here
};

struct Loop {
  std::uint32_t header = kNone;  // block
  std::uint32_t parent = kNone;  // the next outer loop
  bool is_innermost = true;
};

class ControlFlow {
 public:
  explicit ControlFlow(const Function& function);

  const std::vector<Block>& blocks() const { return blocks_; }
  // Outer loops stand before inner ones.
  const std::vector<Loop>& loops() const { return loops_; }
  // The blocks of a loop and of those inside it.
  std::span<const std::uint32_t> BlocksOf(std::uint32_t loop) const;
  // Blocks that can be reached, each behind those that lead to it but for the ends of loops.
  const std::vector<std::uint32_t>& order() const { return order_; }
  // The block of an instruction.
  std::uint32_t BlockOf(std::uint32_t instruction) const { return block_of_[instruction]; }
  bool Dominates(std::uint32_t above, std::uint32_t below) const;
  // Whether `block` is in `loop` or a loop inside it. kNone is the function itself.
  bool IsIn(std::uint32_t block, std::uint32_t loop) const;

 private:
  void SplitBlocks(const Function& function);
  void Connect(const Function& function);
  void FindDominators();
  void FindPostDominators();
  void FindLoops();
  void NumberLoops();
  void SortBlocksByLoop();

  std::vector<Block> blocks_;
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> order_;  // of blocks, reverse post-order from the entry
  std::vector<std::uint32_t> rank_;   // in `order_`; kNone for unreachable blocks
  // Of a walk through a tree: a node's number, and the last one below it.
  struct Below {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool Holds(const Below& other) const { return first <= other.first && other.first <= last; }
  };
  // Of nodes that stand behind their parents in `order`; kNone is no parent.
  static std::vector<Below> NumberTree(const std::vector<std::uint32_t>& order,
                                       const std::vector<std::uint32_t>& parents);
  std::vector<Below> below_;       // by block, in the tree of dominators
  std::vector<Below> loop_below_;  // by loop, in the tree of loops
  // The blocks that stand in loops, by the number of their innermost one in that tree, and where
  // those of each number begin.
  std::vector<std::uint32_t> loop_blocks_;
  std::vector<std::uint32_t> loop_begins_;
};

// Whether nothing behind it in its block is executed by the lanes that execute it.
bool EndsBlock(const Instruction& instruction);

}  // namespace coalcheck::ptx
