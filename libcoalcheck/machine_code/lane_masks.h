// SPDX-License-Identifier: Apache-2.0
//
// Warp primitives whose lanes name different lanes. CUDA leaves this undefined. On the hardware
// they end; some do not while the kernel is counted.
#pragma once

#include <cstdint>

#include "libcoalcheck/machine_code/lane_values.h"

namespace coalcheck::machine_code {

// Whether lanes wait for lanes that do not wait for them, and no two lanes have the same mask, as
// in __ballot_sync((1 << lane) - 1, …). False if all named lanes agree, also if each lane names
// only itself.
bool NameOtherLanes(const LaneValues& masks);

// Whether code of the section does that with a mask that each lane computes from its own number. A
// mask that depends on anything else, such as a vote, is not judged. `steps_left` is counted down
// by the work; at zero nothing more is found.
bool WaitsForOtherLanes(const LaneEvaluator::Section& section, std::uint64_t& steps_left);

}  // namespace coalcheck::machine_code
