// SPDX-License-Identifier: Apache-2.0
//
// What a user may call a kernel, and which kernels a name fits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/prediction/known_launches.h"

namespace coalcheck::prediction {

// A kernel of a file that is predicted.
struct HeldKernel {
  std::string name;  // mangled
  std::string file;
  std::uint32_t sm = 0;
  // What it was compiled from: kernels of one name, architecture and text are the same one.
  std::string text;
};

// "copy<float>(float*, int)" of "_Z4copyIfEvPT_i": demangled, without the type that it returns.
std::string SignatureOf(std::string_view mangled);

// Whether a user calls a kernel so: by its name with or without namespaces, its template arguments
// and its parameters, or by its mangled name.
bool IsCalled(std::string_view mangled, std::string_view name);

// Launches by hand under the mangled names of the kernels that they are of.
struct MatchedLaunches {
  std::map<std::string, LaunchesOfKernel> kernels;
  std::vector<std::string> unmatched;  // names that no kernel has
};

// Error: a name that fits several kernels, and how to tell them apart.
Result<MatchedLaunches> MatchByHand(const std::vector<NamedLaunch>& by_hand,
                                    const std::vector<HeldKernel>& kernels);

// Names that stand for different code of one architecture, with the files that hold it.
std::map<std::string, std::set<std::string>, std::less<>> AmbiguousNames(
    const std::vector<HeldKernel>& kernels);

}  // namespace coalcheck::prediction
