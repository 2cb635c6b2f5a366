// SPDX-License-Identifier: Apache-2.0
//
// Warp primitives whose lanes name different lanes. CUDA leaves what they do undefined; they come
// to an end on the hardware as it is, and some do not any more once the kernel counts.
#pragma once

#include <cstdint>

#include "libcoalcheck/machine_code/lane_values.h"

namespace coalcheck::machine_code {

// Whether lanes wait for lanes that do not wait for them, and no two lanes name the same ones: what
// __ballot_sync((1 << lane) - 1, …) asks for. False where all that are named agree, also where each
// lane names itself alone.
bool NameOtherLanes(const LaneValues& masks);

// Whether code of the section waits so, under a mask that each lane computes from its own number. A
// mask that depends on anything else, as on a vote, is not judged. `steps_left` is counted down by
// the work; at zero nothing more is found.
bool WaitsForOtherLanes(const LaneEvaluator::Section& section, std::uint64_t& steps_left);

}  // namespace coalcheck::machine_code
