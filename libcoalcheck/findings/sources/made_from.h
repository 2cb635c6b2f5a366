// SPDX-License-Identifier: Apache-2.0
//
// From the stack that a compiler of Python kept to the line of Python that a file was made from.
#pragma once

#include <string_view>
#include <vector>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sources/attribution.h"

namespace coalcheck::findings {

// The frames of a stack as Python prints it, innermost first: `File "a.py", line 12, in f`, each
// with the text behind it. What is no frame is passed over. The stack may be anybody's.
std::vector<MadeFrom> FramesOfStack(std::string_view stack);

// The lines that `file` was made from, one for each of the stacks that are known of it, which a
// blank line separates: the innermost one that the user can edit. Left out is a line whose file can
// be read and has another text there by now. At most eight, each once, of the first 64 KiB of text.
std::vector<MadeFrom> MadeFromOf(std::string_view file, const SourceView& source);

}  // namespace coalcheck::findings
