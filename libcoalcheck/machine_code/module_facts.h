// SPDX-License-Identifier: Apache-2.0
//
// What the agent wants to know of a module as a whole, from one look at its headers and symbols.
#pragma once

#include <string_view>
#include <vector>

namespace coalcheck::machine_code {

struct ModuleFacts {
  std::vector<std::string_view> kernels;  // mangled names; views into the cubin
  bool has_lines = false;                 // some of its code was compiled with line information
  bool launches_from_device = false;      // dynamic parallelism: it holds the device's own launch
};

// The mangled names of the kernels in `cubin`, in the order of its sections; views into it.
std::vector<std::string_view> KernelNames(std::string_view cubin);

// Of bytes that are no cubin: nothing.
ModuleFacts DescribeModule(std::string_view cubin);

}  // namespace coalcheck::machine_code
