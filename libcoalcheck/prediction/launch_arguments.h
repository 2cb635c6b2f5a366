// SPDX-License-Identifier: Apache-2.0
//
// A kernel's arguments in one launch, as far as they are known.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "libcoalcheck/prediction/known_launches.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::prediction {

struct KnownArguments {
  std::string bytes;                  // the block of parameters; empty: nothing is known
  std::string known;                  // as LaunchValues::known
  std::vector<std::string> by_hand;   // "height = 4096": what was given by hand and fits
  std::vector<std::string> problems;  // what does not fit the kernel, and was left out
};

// Of all parameters together, as far as a launch may have so many.
std::size_t BytesOfParameters(const ptx::Function& function);

// What was recorded, and over it what was given by hand. `names`: of the parameters, in the source;
// empty where they are not known.
KnownArguments ArgumentsOf(const KnownLaunch& launch, const ptx::Function& function,
                           const std::vector<std::string>& names);

}  // namespace coalcheck::prediction
