// SPDX-License-Identifier: Apache-2.0
//
// Kernels of a few lines of PTX, evaluated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/address/launch_evaluation.h"

namespace coalcheck::address {

// A kernel of two pointers and a number, with its thread's index in x in %r1, the block's in %r3
// and the one within the block in %r5; the number is in %r2, the pointers in %rd1 and %rd2.
std::string KernelText(std::string_view body);

// Of such a kernel: two pointers to lines, and the number.
std::string Arguments(std::uint32_t number);

LaunchEvaluation EvaluateKernel(std::string_view body, Extent grid, Extent block,
                                std::uint32_t argument, const EvaluationLimits& limits = {});

// Of the access with that number in the text; all of the launch is evaluated.
EvaluatedAccess Evaluated(std::string_view body, std::size_t number = 0, Extent block = {32, 1, 1},
                          Extent grid = {4, 1, 1}, std::uint32_t argument = 128);

// Loads the float at index %r6 from the first pointer.
inline constexpr std::string_view kIndexed =
    "mul.wide.s32 %rd3, %r6, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4];\n";

}  // namespace coalcheck::address
