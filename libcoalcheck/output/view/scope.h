// SPDX-License-Identifier: Apache-2.0
//
// What the text report says of code that is not the user's, and of code without line information.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// One line each; in scope `user` the library code is one of them, whatever it holds.
std::vector<std::string> ScopeNotes(const findings::Report& report);

// "; 212 accesses in library code not judged (--scope all)"; empty when everything was.
std::string NotJudged(const findings::Report& report);

}  // namespace coalcheck::output
