// SPDX-License-Identifier: Apache-2.0
//
// Where libcupti is, without a header of CUPTI's: the agent opens it, the doctor names it.
#pragma once

#include <string>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cupti {

struct OpenedCupti {
  void* handle = nullptr;  // of dlopen; never closed
  std::string path;
};

// Opens libcupti, and nvperf beside it. Looked for, in this order: a copy already in the process,
// `cupti_path` (a file or a folder), the dynamic linker's own search, toolkit folders, Python
// packages. Error: one line naming the places tried.
Result<OpenedCupti> FindCupti(const std::string& cupti_path);

}  // namespace coalcheck::cupti
