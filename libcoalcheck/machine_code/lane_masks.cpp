// SPDX-License-Identifier: Apache-2.0
//
// Looks at each WARPSYNC that takes its mask from a register.
#include "libcoalcheck/machine_code/lane_masks.h"

#include <optional>

#include "libcoalcheck/cubin/architecture.h"

namespace coalcheck::machine_code {
namespace {

constexpr std::uint32_t kWarpsyncUnderMask = 0x148;
constexpr std::uint32_t kMaskInRegister = 1;  // form
constexpr std::uint32_t kNoMask = 255;        // RZ

// Rows of a block may be as long as a warp, or longer; in shorter ones threadIdx.x begins anew.
constexpr std::uint32_t kRowLengths[] = {32, 16, 8, 4, 2};

bool Names(std::uint32_t mask, std::uint32_t lane) { return ((mask >> lane) & 1U) != 0; }

// Whether the lane names itself, and all lanes that it names have the same mask.
bool IsInGroup(const LaneValues& masks, std::uint32_t lane) {
  if (!Names(masks[lane], lane)) return false;
  for (std::uint32_t other = 0; other < kLanes; ++other) {
    if (Names(masks[lane], other) && masks[other] != masks[lane]) return false;
  }
  return true;
}

std::optional<unsigned> MaskOf(const Word& word, std::uint32_t sm) {
  if (word.opcode() != kWarpsyncUnderMask || word.form() != kMaskInRegister) return std::nullopt;
  const std::uint32_t number = word.Bits(cubin::ArchitectureOf(sm).warp_mask_bit, 8);
  return number == kNoMask ? std::nullopt : std::optional<unsigned>(kVector + number);
}

}  // namespace

bool NameOtherLanes(const LaneValues& masks) {
  bool all_in_groups = true;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const bool in_group = IsInGroup(masks, lane);
    if (in_group && masks[lane] != 1U << lane) return false;
    all_in_groups = all_in_groups && in_group;
  }
  return !all_in_groups;
}

bool WaitsForOtherLanes(const LaneEvaluator::Section& section, std::uint64_t& steps_left) {
  const CodeView& code = section.code;
  for (const Block& block : code.blocks) {
    if (!block.reached) continue;
    for (std::uint32_t n = block.begin; n < block.end; ++n) {
      const std::optional<unsigned> mask = MaskOf(code.words[n], code.sm);
      bool waits = mask.has_value();
      for (const std::uint32_t row_length : kRowLengths) {
        if (!waits) break;
        const auto masks = LaneEvaluator(section, row_length, steps_left).Before(n, *mask);
        waits = masks && NameOtherLanes(*masks);
      }
      if (waits) return true;
    }
  }
  return false;
}

}  // namespace coalcheck::machine_code
