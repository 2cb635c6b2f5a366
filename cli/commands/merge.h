// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck merge`: many recordings in, one out.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace coalcheck::cli {

struct MergeOptions {
  std::string output;                   // a folder that is not there yet
  std::vector<std::string> recordings;  // as `coalcheck report` takes them
};

// Returns the exit code. Messages go to `err`.
int Merge(const MergeOptions& options, std::ostream& err);

}  // namespace coalcheck::cli
