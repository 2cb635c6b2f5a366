// SPDX-License-Identifier: Apache-2.0
//
// A predicted launch in the place of a counted one, so that changes of its kernel can be tried.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/sums/counted_launch.h"
#include "libcoalcheck/prediction/launch_prediction.h"

namespace coalcheck::prediction {

// A launch of which grid, block and every argument are known that an address depends on.
struct GivenLaunch {
  address::Extent grid;
  address::Extent block;
  double launches = 1;
  std::optional<std::uint64_t> dynamic_shared_bytes;  // empty: not known
  std::string arguments;  // as LaunchValues has them; pointers that are not known are made up
  std::string known;
  // What an access asks for at most in one launch, by where its opcode stands in the PTX.
  std::map<const char*, address::Sums> accesses;
};

// Whether a whole number that is not given decides addresses which no data decide. `pointers`: as
// LaunchValues::pointers.
bool IsOpenByArguments(const LaunchPrediction& prediction, const ptx::Function& function,
                       std::span<const std::uint32_t> pointers);

// Gives pointers that are not known places far apart, aligned as cudaMalloc aligns. `bytes`: of all
// parameters.
void MakeUpPointers(std::span<const std::uint32_t> pointers, std::size_t bytes,
                    GivenLaunch& launch);

// As if that had been counted of the kernel `function`, whose formulas these are.
findings::CountedLaunch AsCounted(const GivenLaunch& launch, const cubin::Function& function,
                                  const address::AccessFormulas& formulas);

}  // namespace coalcheck::prediction
