// SPDX-License-Identifier: Apache-2.0
//
// Functions that are called and not inlined: the assembler puts them into the code of their kernel.
__device__ __noinline__ float Element(const float* in, int i) { return in[i]; }

__global__ void consecutive(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Element(in, i);
}

__global__ void strided(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Element(in, 8 * i);
}
