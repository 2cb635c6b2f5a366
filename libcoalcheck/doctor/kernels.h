// SPDX-License-Identifier: Apache-2.0
//
// The self-test's kernels, one good and one bad, and what the sector model says of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/doctor/facts.h"

namespace coalcheck::doctor {

// Each copies `in` to `out`, one float per thread: the first lane after lane, the other from every
// 32nd float. Parameters: const float* in, float* out.
inline constexpr std::string_view kCoalescedKernel = "coalcheck_doctor_coalesced";
inline constexpr std::string_view kStridedKernel = "coalcheck_doctor_strided";
inline constexpr std::uint32_t kStride = 32;
inline constexpr std::uint32_t kBlocks = 16;
inline constexpr std::uint32_t kThreadsPerBlock = 256;
inline constexpr std::uint32_t kThreads = kBlocks * kThreadsPerBlock;

// Both kernels as PTX with line information, for every GPU from sm_75 on.
extern const char* const kKernelsPtx;

// What one launch of each kernel has to count, from the sector model.
std::vector<SelfTestCounts> ExpectedCounts();

}  // namespace coalcheck::doctor
