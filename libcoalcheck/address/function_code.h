// SPDX-License-Identifier: Apache-2.0
//
// One function's machine code with what following values backwards needs: where each register was
// last written, which blocks every way passes, and the loops.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libcoalcheck/machine_code/code_section.h"
#include "libcoalcheck/machine_code/control_flow.h"
#include "libcoalcheck/machine_code/operands.h"

namespace coalcheck::address {

inline constexpr std::uint32_t kNowhere = 0xffffffff;

struct Loop {
  std::uint32_t first =
      kNowhere;  // the block through which it is entered; kNowhere when several are
  std::uint32_t parent = kNowhere;    // the loop around it
  std::vector<std::uint32_t> blocks;  // ascending
};

class FunctionCode {
 public:
  // The code of `section`. A kernel's registers hold nothing where it begins.
  FunctionCode(const machine_code::CodeImage& image, std::size_t section);

  std::uint32_t sm() const { return sm_; }
  std::span<const machine_code::Word> words() const { return code_.words; }
  const machine_code::Instruction& instruction(std::uint32_t n) const {
    return code_.instructions[n];
  }
  std::span<const machine_code::Block> blocks() const { return flow_.blocks; }
  std::uint32_t BlockOf(std::uint32_t n) const { return flow_.block_of[n]; }
  bool readable() const { return flow_.readable; }
  // Whether functions begin at block `b`, so that others than its predecessors lead there.
  bool IsEntry(std::uint32_t b) const { return entry_[b]; }

  // The last instruction before `n`, in its block, that may write `place`; kNowhere when there is
  // none.
  std::uint32_t LastWrite(std::uint32_t place, std::uint32_t n) const;
  // Whether instruction `n` may write `place`.
  bool Writes(std::uint32_t place, std::uint32_t n) const;
  // The block that every way from the function's begin to `b` passes last before it.
  std::uint32_t Dominator(std::uint32_t b) const { return dominators_[b]; }
  std::span<const Loop> loops() const { return loops_; }
  std::uint32_t InnermostLoop(std::uint32_t b) const { return innermost_[b]; }
  bool IsInLoop(std::uint32_t b, std::uint32_t loop) const;

 private:
  std::vector<std::int64_t> Entries(const machine_code::CodeImage& image, std::size_t section);
  void ListWrites();
  machine_code::PlaceSet WrittenFrom(std::int64_t entry) const;
  void FindDominators();
  void FindLoops();

  std::uint32_t sm_;
  machine_code::CodeSection code_;
  machine_code::ControlFlow flow_;
  std::vector<bool> entry_;
  std::vector<std::vector<std::uint32_t>> writes_;  // by place, ascending
  std::vector<std::uint32_t> dominators_;
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> innermost_;
};

}  // namespace coalcheck::address
