// SPDX-License-Identifier: Apache-2.0
//
// What this process has one of, whether CUDA has started or not: its book of open ranges, and its
// book of the sources that it has handed over.
#pragma once

#include "injection/agent/ranges/range_book.h"
#include "injection/agent/session/source_book.h"

namespace coalcheck {

// Each is there from its first use and never destroyed.
agent::RangeBook& ProcessRanges();
agent::SourceBook& ProcessSources();

}  // namespace coalcheck
