// SPDX-License-Identifier: Apache-2.0
//
// Column store: decode frames of 1024 delta-coded, bit-packed 32-bit keys (frame of reference +
// prefix sum).
#include <cuda_runtime.h>

#define FRAME 1024
#define PER 4  // values a thread, 256 threads a frame

__device__ __forceinline__ unsigned field(const unsigned* w, int pos, int bits) {
  int word = pos >> 5, sh = pos & 31;
  unsigned lo = w[word];
  unsigned hi = w[word + 1];
  return __funnelshift_r(lo, hi, sh) & ((1u << bits) - 1u);
}

extern "C" __global__ void delta_unpack(const unsigned* __restrict__ packed,
                                        const int* __restrict__ first, int* __restrict__ keys,
                                        int bits, int frame_words, int nframe) {
  __shared__ int wsum[8];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  for (int f = blockIdx.x; f < nframe; f += gridDim.x) {
    const unsigned* src = packed + (size_t)f * frame_words;
    int v[PER], run = 0;
#pragma unroll
    for (int j = 0; j < PER; ++j) {
      unsigned z = field(src, (t * PER + j) * bits, bits);
      run += (int)(z >> 1) ^ -(int)(z & 1);  // zig-zag
      v[j] = run;
    }
    int inc = run;
    for (int d = 1; d < 32; d <<= 1) {
      int o = __shfl_up_sync(0xffffffffu, inc, d);
      if (lane >= d) inc += o;
    }
    if (lane == 31) wsum[warp] = inc;
    __syncthreads();
    int base = first[f] + inc - run;
    for (int w = 0; w < warp; ++w) base += wsum[w];

    int* dst = keys + (size_t)f * FRAME + t * PER;
#pragma unroll
    for (int j = 0; j < PER; ++j) dst[j] = base + v[j];
    __syncthreads();
  }
}
