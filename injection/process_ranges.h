// SPDX-License-Identifier: Apache-2.0
//
// The one book of open ranges of the process.
#pragma once

#include "injection/agent/ranges/range_book.h"

namespace coalcheck {

// There from the first NVTX call, which may come long before CUDA or without it, and never
// destroyed.
agent::RangeBook& ProcessRanges();

}  // namespace coalcheck
