// SPDX-License-Identifier: Apache-2.0
//
// The samples as tests see them: their folders, their expectations, their programs.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/expectation.h"
#include "tests/support/observed.h"

namespace coalcheck::support {

struct Sample {
  std::string name;
  std::filesystem::path folder;
  bool is_python = false;

  // samples/NAME of the build; for Python the script itself.
  std::filesystem::path Program() const;
};

// All samples, by name.
std::vector<Sample> AllSamples();

// What the comments in all of the sample's files expect. Those in the kernel text of a Python
// script have no file: it is compiled from one that is deleted.
absl::StatusOr<std::vector<Expectation>> ExpectationsOf(const Sample& sample);

// Makes the files that a Python sample's kernels were compiled from nameless, as in its
// expectations.
void ForgetTemporaryFiles(const Sample& sample, std::vector<ObservedAccess>& accesses);

// For GoogleTest's parameterised tests: `Samples/Test.IsRight/transpose_naive`.
std::string NameOf(const Sample& sample);
void PrintTo(const Sample& sample, std::ostream* out);

}  // namespace coalcheck::support
