// SPDX-License-Identifier: Apache-2.0
//
// What a fuzzer promises of every input: what is not so ends the program, whatever the build.
#pragma once

#include <cstdlib>

namespace coalcheck {

inline void Require(bool promise) {
  if (!promise) std::abort();
}

}  // namespace coalcheck
