// SPDX-License-Identifier: Apache-2.0
//
// Steps that do not decide where a warp goes on. Each is carried out for the lanes of `lanes`, of
// which `guard` says for which it is certain.
#pragma once

#include <cstdint>

#include "libcoalcheck/address/warp_state.h"

namespace coalcheck::address {

// Of the symbol of an argument that is not known, so many bytes at that offset.
inline Unknowns::Key ArgumentKey(std::uint64_t offset, std::uint32_t bytes) {
  return {Unknowns::Of::kArgument, offset, bytes};
}

// warp_compute.cpp
void Compute(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard);
// Between a register and its elements.
void Pack(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard);
void Unpack(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard);

// warp_memory.cpp
void Load(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard);
// `open`: the lanes of which nobody knows whether they store.
void Store(WarpState& warp, const Step& step, LaneMask lanes, LaneMask open);

// warp_exchange.cpp: lanes hand values to each other; of those of `meeting` that are open, nobody
// knows whether they do.
void Exchange(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard,
              const LaneCondition& meeting);

}  // namespace coalcheck::address
