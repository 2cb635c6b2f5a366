// SPDX-License-Identifier: Apache-2.0
//
// Names of the special registers.
#pragma once

#include <optional>
#include <string_view>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

// Of "%tid.x"; kOther for a special register that says nothing of addresses; empty for other words.
std::optional<Special> SpecialFromString(std::string_view name);

// "threadIdx.x" for %tid.x: what CUDA C++ calls it, or PTX where C++ has no name.
std::string_view NameOf(Special special);

}  // namespace coalcheck::ptx
