// SPDX-License-Identifier: Apache-2.0
//
// Convolution epilogue: folded batch norm + ReLU, written channels-last for the next layer.
#include <cuda_fp16.h>
template <typename T>
__global__ void bn_relu_to_nhwc(const T* __restrict__ in, T* __restrict__ out,
                                const float* __restrict__ scale, const float* __restrict__ shift,
                                int C, int HW) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;  // pixel
  int c = blockIdx.y;                             // channel
  int n = blockIdx.z;                             // image
  if (p >= HW) return;
  float v = (float)in[((size_t)n * C + c) * HW + p];
  v = fmaxf(v * scale[c] + shift[c], 0.f);
  out[((size_t)n * HW + p) * C + c] = (T)v;
}
template __global__ void bn_relu_to_nhwc<__half>(const __half*, __half*, const float*, const float*,
                                                 int, int);
