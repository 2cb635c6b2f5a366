// SPDX-License-Identifier: Apache-2.0
//
// A function with the bodies of the functions it calls where the calls stood.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libcoalcheck/ptx/module.h"
#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::ptx {

// Reading so many bytes of called functions takes about as long as one step of an evaluation.
inline constexpr std::size_t kBytesOfStep = 2;
// To copy an instruction, and to find its block and what addresses depend on, takes about as long
// as so many steps.
inline constexpr std::uint64_t kStepsOfInstruction = 24;
// So many instructions a function may come to have.
inline constexpr std::size_t kMostInlined = 1U << 16U;

// Which module holds the body of a function that is not in the caller's; null when none does.
using FindModule = absl::FunctionRef<const Module*(std::string_view name)>;

// `function` is of `module`. Instructions keep their lines and texts, so copies of one can be told;
// all copies of a function share its registers and variables, as none is inside another. A call
// stays that has a guard, whose function is not known by name, has no body or takes other
// parameters than it is given, that is recursive, and that would make the function longer than
// `most` or its jump tables and vectors too many.
Function WithCallsInlined(const Module& module, const Function& function, FindModule elsewhere,
                          std::size_t most = kMostInlined);

// Whether it calls a function that is not seen here, and may end threads: through a register, of
// another file, or as WithCallsInlined leaves it. Of the CUDA runtime, those for output, memory and
// assertions are known to return.
bool CallsUnseen(const Function& function);

}  // namespace coalcheck::ptx
