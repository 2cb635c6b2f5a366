// SPDX-License-Identifier: Apache-2.0
//
// What the source says of a kernel: its parameters' names, and the launch to predict it for.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/sources/attribution.h"
#include "libcoalcheck/prediction/known_launches.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::prediction {

struct KernelSource {
  std::vector<std::string> parameter_names;  // empty where they are not known
  LaunchesOfKernel launches;  // of `// coalcheck: block=32x8` above the kernel or on its line
  std::vector<std::string> problems;  // comments that are wrong
};

// Empty where the source is not here.
KernelSource SourceOf(const cubin::Function& kernel, const std::vector<ptx::Parameter>& parameters,
                      const findings::SourceView& source, const cubin::SourceStamps& stamps);

}  // namespace coalcheck::prediction
