// SPDX-License-Identifier: Apache-2.0
//
// The lists of indices as functions of the host.
#include "tests/unit/address/host_indices.h"

namespace coalcheck::address {

#define UNPACK                                                                           \
  [[maybe_unused]] const Index threadIdx = launch.threadIdx, blockIdx = launch.blockIdx, \
                               blockDim = launch.blockDim, gridDim = launch.gridDim;     \
  [[maybe_unused]] const int n = launch.n;                                               \
  [[maybe_unused]] const unsigned m = launch.m;                                          \
  [[maybe_unused]] const long long w = launch.w;

#define INDEX(name, element, expression) \
  {#name, sizeof(element), false,        \
   [](const Launch& launch) -> std::uint64_t { UNPACK return Subscript(expression); }},
#define LOOP(name, element, start, step, expression)                         \
  {#name, sizeof(element), true, [](const Launch& launch) -> std::uint64_t { \
     UNPACK const int i = (start) + launch.round * (step);                   \
     return Subscript(expression);                                           \
   }},

const std::vector<Kernel>& ChosenKernels() {
  static const std::vector<Kernel> kernels{
#include "tests/unit/address/fixtures/indices.inc"
  };
  return kernels;
}

const std::vector<Kernel>& RandomKernels() {
  static const std::vector<Kernel> kernels{
#include "tests/unit/address/fixtures/random_indices.inc"
  };
  return kernels;
}

Launch DrawLaunch(std::mt19937& draw) {
  const auto below = [&draw](unsigned most) { return static_cast<unsigned>(draw() % most); };
  Launch launch{};
  launch.blockDim = {32 * (1 + below(4)), 1 + below(4), 1 + below(2)};
  launch.gridDim = {1 + below(500), 1 + below(100), 1 + below(50)};
  launch.blockIdx = {below(launch.gridDim.x), below(launch.gridDim.y), below(launch.gridDim.z)};
  launch.threadIdx = {below(launch.blockDim.x), below(launch.blockDim.y), below(launch.blockDim.z)};
  launch.n = 4 + static_cast<int>(below(200));
  launch.m = 1 + below(200);
  launch.w = 1 + static_cast<long long>(below(200));
  launch.round = static_cast<int>(below(6));
  return launch;
}

}  // namespace coalcheck::address
