// SPDX-License-Identifier: Apache-2.0
//
// Kernels in which it is known which load warps wait for, for charging_test.cpp. Loads are told
// apart by their width.
#include <cstdlib>

#include "samples/common/check.h"
#include "samples/common/device_array.h"

using namespace samples;

constexpr unsigned kThreads = 1 << 22;
constexpr unsigned kBlock = 256;
constexpr unsigned kFar = 40503;  // odd: every element once, and no two lanes near each other

// One load, work that does not need it, one use.
__global__ void one_load(const double* in, float* out, float x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double slow = in[i * kFar % kThreads];
#pragma unroll
  for (int k = 0; k < 32; ++k) x = x * x + 1.5F;
  out[i] = static_cast<float>(slow) * x;
}

// The wide load comes from memory and is used first; the narrow one is in L1, and there by then.
__global__ void two_loads(const double* in, const float* table, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const double slow = in[i * kFar % kThreads];
  const float near = table[threadIdx.x % 32];
  auto x = static_cast<float>(slow);
#pragma unroll
  for (int k = 0; k < 64; ++k) x = x * x + 1.5F;
  out[i] = x + near;
}

int main(int argc, char** argv) {
  RequireGpu("charging");
  const int launches = argc > 1 ? std::atoi(argv[1]) : 100;
  DeviceArray<double> in(kThreads);
  DeviceArray<float> table(32), out(kThreads);
  for (int i = 0; i < launches; ++i) {
    one_load<<<kThreads / kBlock, kBlock>>>(in.data(), out.data(), 0.5F);
    CheckLaunch();
    two_loads<<<kThreads / kBlock, kBlock>>>(in.data(), table.data(), out.data());
    CheckLaunch();
  }
  Check(cudaDeviceSynchronize());
  return kOk;
}
