// SPDX-License-Identifier: Apache-2.0
//
// Whether this program runs with more rights than whoever started it.
#pragma once

#include <sys/auxv.h>

namespace coalcheck {

// True in a set-user-id program and in one with capabilities of its own: whoever set its
// environment must not choose which library it loads, which command it runs and where it writes.
// Asked before any variable is read or any file opened.
inline bool HasRaisedRights() noexcept { return getauxval(AT_SECURE) != 0; }

}  // namespace coalcheck
