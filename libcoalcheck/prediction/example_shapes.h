// SPDX-License-Identifier: Apache-2.0
//
// Launches that stand for all possible ones of a kernel.
#pragma once

#include <vector>

#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::prediction {

// In blocks.
inline constexpr address::Extent kExampleGrid = {11, 3, 2};

// In threads: blocks that the kernel may be launched with, as far as its code says, each a whole
// number of warps wide unless the code demands another. Never empty.
// `has_rows`, `has_depth`: the code makes use of a block's second axis, of its third.
std::vector<address::Extent> ExampleBlocks(const ptx::Function& function, bool has_rows,
                                           bool has_depth);

}  // namespace coalcheck::prediction
