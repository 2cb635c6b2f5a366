// SPDX-License-Identifier: Apache-2.0
//
// Which launches a kernel can have: what every GPU takes, and what the code says of itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::prediction {

// Of a block of the kernel.
std::uint64_t MostThreads(const ptx::Function& function);

// The block that the kernel demands; empty where it demands none.
std::optional<address::Extent> RequiredBlock(const ptx::Function& function);

// Why the kernel cannot be launched so, as a clause; empty where it can, as far as grid and block
// are known.
std::string WhyNoLaunch(const ptx::Function& function, const std::optional<address::Extent>& grid,
                        const std::optional<address::Extent>& block);

}  // namespace coalcheck::prediction
