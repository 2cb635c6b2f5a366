// SPDX-License-Identifier: Apache-2.0
//
// What blocks fetch again, though each request is coalesced, in words.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// A line for each line of the source, most often first; instantiations of a template are one.
std::vector<std::string> FetchedAgainNotes(const findings::Report& report);

}  // namespace coalcheck::output
