// SPDX-License-Identifier: Apache-2.0
//
// Splits one line of options into words the way a shell would, so that COALCHECK_OPTIONS takes
// exactly what the command line takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"

namespace coalcheck::options {

// Blanks separate words; '…' is literal, "…" and a bare backslash escape as in POSIX sh. Nothing is
// expanded. Error: a quote that is never closed, a backslash with nothing after it.
Result<std::vector<std::string>> SplitLikeShell(std::string_view line);

}  // namespace coalcheck::options
