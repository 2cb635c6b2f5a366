// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck inspect`: every global access of a cubin or program, without a GPU.
#pragma once

#include <ostream>
#include <string>

namespace coalcheck::cli {

struct InspectOptions {
  std::string file;
  std::string format = "text";  // or "json"
  std::string source_root;      // empty: as ResolveSourceRoot finds it
  std::string kernel;           // only functions whose readable or mangled name contains this
};

// Writes the list to `out` and errors to `err`. Returns the exit code: kUsage when the file cannot
// be read or holds no device code, kNothingChecked when it holds only PTX, or no function that
// `kernel` matches.
int Inspect(const InspectOptions& options, std::ostream& out, std::ostream& err);

}  // namespace coalcheck::cli
