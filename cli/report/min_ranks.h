// SPDX-License-Identifier: Apache-2.0
//
// How many ranks --min-ranks asks for.
#pragma once

#include <string>

#include "libcoalcheck/findings/job.h"

namespace coalcheck::cli {

// "8" or "90%". What RefuseAllButRanks() refuses asks for all.
findings::MinRanks ReadMinRanks(const std::string& text);

// What is wrong with it, empty when nothing is.
std::string RefuseAllButRanks(const std::string& text);

}  // namespace coalcheck::cli
