// SPDX-License-Identifier: Apache-2.0
//
// Whether threads of a kernel work on their own, so that they may change places.
#pragma once

#include <string>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::moves {

// What binds threads to their places, as a clause: "its threads meet at barriers". Empty when each
// works for itself.
std::string WhatBindsThreads(const ptx::Function& function);

// Whether what binds them could be done by other threads of a block together: sums through shared
// memory or between lanes, and not what the hardware asks of the lanes of one warp.
bool MayRegroup(const ptx::Function& function);

}  // namespace coalcheck::moves
