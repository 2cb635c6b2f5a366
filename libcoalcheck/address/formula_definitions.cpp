// SPDX-License-Identifier: Apache-2.0
//
// Phi functions at iterated dominance frontiers (Cytron et al.; frontiers as Cooper, Harvey and
// Kennedy find them).
#include "libcoalcheck/address/formula_definitions.h"

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {

FormulaDefinitions::FormulaDefinitions(const ptx::Function& function, const ptx::ControlFlow& flow,
                                       const std::vector<bool>& relevant)
    : count_(function.registers.size()), frontiers_(flow.blocks().size()) {
  std::vector<std::vector<std::uint32_t>> blocks(function.registers.size());
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (!relevant[i]) continue;
    for (const std::uint32_t reg : ptx::Writes(function, function.instructions[i])) {
      ++count_[reg];
      // What a guarded instruction leaves may be what was there before.
      if (function.instructions[i].guard != ptx::kNone) ++count_[reg];
      blocks[reg].push_back(flow.BlockOf(i));
    }
  }
  FindFrontiers(flow);
  for (std::uint32_t reg = 0; reg < blocks.size() && is_complete_; ++reg) {
    if (!HasOne(reg)) Place(reg, std::move(blocks[reg]));
  }
}

void FormulaDefinitions::FindFrontiers(const ptx::ControlFlow& flow) {
  for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) {
    const ptx::Block& block = flow.blocks()[b];
    if (block.previous.size() < 2) continue;
    for (std::uint32_t from : block.previous) {
      while (from != block.dominator && from != ptx::kNone) {
        if (work_left_ == 0) {
          is_complete_ = false;
          return;
        }
        --work_left_;
        std::vector<std::uint32_t>& frontier = frontiers_[from];
        if (frontier.empty() || frontier.back() != b) frontier.push_back(b);
        from = flow.blocks()[from].dominator;
      }
    }
  }
}

void FormulaDefinitions::Place(std::uint32_t reg, std::vector<std::uint32_t> blocks) {
  while (!blocks.empty()) {
    const std::uint32_t block = blocks.back();
    blocks.pop_back();
    for (const std::uint32_t at : frontiers_[block]) {
      if (work_left_ == 0) {
        is_complete_ = false;
        return;
      }
      --work_left_;
      if (meeting_.insert(Key(reg, at)).second) blocks.push_back(at);
    }
  }
}

}  // namespace coalcheck::address
