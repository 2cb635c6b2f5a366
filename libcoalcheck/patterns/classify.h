// SPDX-License-Identifier: Apache-2.0
//
// Names the pattern of one instruction's accesses.
#pragma once

#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

// The patterns that fit the counts and, where it is known, the code. Code that contradicts the
// counts is not believed. kUnknown when nothing fits, when the width is not known, or without
// requests.
Classification Classify(const Evidence& evidence);

}  // namespace coalcheck::patterns
