// SPDX-License-Identifier: Apache-2.0
//
// The one book of the sources that this process has handed over.
#pragma once

#include "injection/agent/session/source_book.h"

namespace coalcheck {

// There from its first use, which may come before CUDA starts, and never destroyed.
agent::SourceBook& ProcessSources();

}  // namespace coalcheck
