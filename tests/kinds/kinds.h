// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of all files work on, and how they are launched.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                              \
  do {                                                           \
    const cudaError_t error = (call);                            \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(2);                                              \
    }                                                            \
  } while (false)

constexpr int kElements = 1 << 21;  // of each array

struct Arrays {
  float* a;
  float* b;
  float* out;
  int* random;  // below 65 536
  int* rows;    // where 20 000 rows of up to 60 elements begin
  int* zero;    // set to 0 before each launch
};

template <typename... Parameters, typename... Arguments>
void Launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, const Arrays& arrays,
            Arguments... arguments) {
  CHECK(cudaMemset(arrays.zero, 0, kElements * sizeof(int)));
  kernel<<<grid, block>>>(Parameters(arguments)...);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

__device__ inline int Thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

void LaunchGrids(const Arrays& arrays);
void LaunchImages(const Arrays& arrays);
void LaunchMatrices(const Arrays& arrays);
void LaunchNetworks(const Arrays& arrays);
void LaunchNumbers(const Arrays& arrays);
void LaunchRandom(const Arrays& arrays);
void LaunchSearches(const Arrays& arrays);
void LaunchTransforms(const Arrays& arrays);
void LaunchWarps(const Arrays& arrays);
