// SPDX-License-Identifier: Apache-2.0
//
// Which steps of a program follow from the size of the launch, and from where a block is in it,
// alone.
#pragma once

#include <vector>

#include "libcoalcheck/address/program.h"

namespace coalcheck::address {

// Whether the operation gives another result on each side of a number.
bool TellsNumbersApart(ptx::Op op);

// Sets `follows_block` and `follows_grid` of `steps`, which are the program's. Returns whether one
// of them compares where a block is, or takes the grid's size.
bool MarkWhatFollowsShape(const Program& program, std::vector<Step>& steps);

}  // namespace coalcheck::address
