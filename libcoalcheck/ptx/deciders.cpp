// SPDX-License-Identifier: Apache-2.0
//
// Walks from each way out of a block up the tree of post-dominators, to the block's own.
#include "libcoalcheck/ptx/deciders.h"

namespace coalcheck::ptx {

bool IsDecided(const Block& block) { return block.next.size() + (block.may_end ? 1U : 0U) > 1; }

std::optional<std::vector<std::vector<Decider>>> DecidersOf(const ControlFlow& flow,
                                                            std::size_t most) {
  const std::vector<Block>& blocks = flow.blocks();
  std::vector<std::vector<Decider>> deciders(blocks.size());
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (!IsDecided(blocks[b])) continue;
    for (std::size_t side = 0; side < blocks[b].next.size(); ++side) {
      const bool is_taken = blocks[b].next.size() > 1 && side == 0;
      for (std::uint32_t at = blocks[b].next[side]; at != blocks[b].post_dominator && at != kNone;
           at = blocks[at].post_dominator) {
        if (most-- == 0) return std::nullopt;
        deciders[at].push_back({b, is_taken});
      }
    }
  }
  return deciders;
}

}  // namespace coalcheck::ptx
