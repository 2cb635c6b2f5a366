// SPDX-License-Identifier: Apache-2.0
//
// What tests that need a GPU do where there is none.
#pragma once

#include <stdlib.h>

#include <string_view>

namespace coalcheck::support {

inline constexpr int kNoGpu = 77;  // how a sample or a host says that it found none

// Whether a test that finds no GPU, or no program to run on one, has to fail, not to be skipped.
inline bool GpuIsRequired() {
  const char* required = getenv("COALCHECK_REQUIRE_GPU");
  return required != nullptr && std::string_view(required) == "1";
}

}  // namespace coalcheck::support
