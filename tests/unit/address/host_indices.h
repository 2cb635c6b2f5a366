// SPDX-License-Identifier: Apache-2.0
//
// The host as an oracle: each index of the fixtures, evaluated by the same C++ expression that was
// compiled for the GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace coalcheck::address {

struct Index {
  unsigned x, y, z;
};

// A thread of a launch, under the names it has in a kernel, and the round of its loop.
struct Launch {
  Index threadIdx, blockIdx, blockDim, gridDim;
  int n;
  unsigned m;
  long long w;
  int round;
};

struct Kernel {
  const char* name;
  std::uint64_t element;
  bool loops;
  std::function<std::uint64_t(const Launch&)> index;
};

// The kernels of indices.inc and of random_indices.inc.
const std::vector<Kernel>& ChosenKernels();
const std::vector<Kernel>& RandomKernels();

Launch DrawLaunch(std::mt19937& draw);

// Where `out` lies: far from 0, so that halves carry.
inline constexpr std::uint64_t kOut = 0x7f12'ffff'ff00;

// As the subscript of a pointer converts it.
template <typename T>
std::uint64_t Subscript(T index) {
  return static_cast<std::uint64_t>(static_cast<long long>(index));
}

}  // namespace coalcheck::address
