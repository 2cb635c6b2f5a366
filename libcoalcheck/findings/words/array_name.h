// SPDX-License-Identifier: Apache-2.0
//
// The array that an access of a source line can only be of, in the source's own word.
#pragma once

#include <string>
#include <string_view>

#include "libcoalcheck/cubin/access_kind.h"

namespace coalcheck::findings {

// `line` is one assignment, without blanks and comments: "out[i]=2*in[i*n];". A store is of what is
// assigned to, where that is an array with its index. A load is of the only array with an index on
// the right, where nothing else there may be in memory: no pointer followed, no member. Empty where
// another reading is possible, as for any line with a call.
std::string ArrayName(std::string_view line, cubin::AccessKind kind);

}  // namespace coalcheck::findings
