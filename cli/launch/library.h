// SPDX-License-Identifier: Apache-2.0
//
// Finds the libcoalcheck.so that belongs to this command.
#pragma once

#include <string>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cli {

// Its absolute path: `named` if that is not empty, else beside this command, else in ../lib of it.
// Error: it is in none of them, or cannot be read.
Result<std::string> FindLibrary(const std::string& named);

}  // namespace coalcheck::cli
