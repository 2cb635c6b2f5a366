// SPDX-License-Identifier: Apache-2.0
//
// What the command's exit codes mean, as documented in docs/exit-codes.md.
#pragma once

namespace coalcheck::cli {

enum ExitCode : int {
  kClean = 0,
  kFindings = 1,
  kUsage = 2,
  kNothingChecked = 3,
  kCouldNotCollect = 4,
  kInternalError = 5,
};

}  // namespace coalcheck::cli
