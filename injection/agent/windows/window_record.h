// SPDX-License-Identifier: Apache-2.0
//
// Turns the counts that came off the device into the rows of a recording.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "injection/agent/base/device.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

// Which cubin CUPTI's 32-bit crc names; empty when none that was seen loading, or more than one.
using CubinOfCrc = std::function<std::optional<CubinId>(std::uint32_t)>;

// One FunctionCounts per (crc, function), rows in ascending pc. Records of one pc are summed; rows
// and functions in which nothing was counted are left out.
std::vector<recording::FunctionCounts> MergeCounts(const std::vector<InstructionCounts>& counts,
                                                   const CubinOfCrc& cubin_of_crc);

}  // namespace coalcheck::agent
