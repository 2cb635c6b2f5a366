// SPDX-License-Identifier: Apache-2.0
//
// Level meter over a recording mapped as it lies in the file: windowed RMS, peak and zero
// crossings, a warp a frame.
#include <cuda_runtime.h>

extern "C" __global__ void wav_frames(const unsigned char* __restrict__ file,
                                      const float* __restrict__ window, float* __restrict__ rms_db,
                                      float* __restrict__ peak, unsigned short* __restrict__ zc,
                                      int nframe, int hop, int len, int header) {
  const short* pcm = reinterpret_cast<const short*>(file + header);
  const int lane = threadIdx.x & 31;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const int nwarp = (gridDim.x * blockDim.x) >> 5;

  for (int f = warp; f < nframe; f += nwarp) {
    const short* x = pcm + (long long)f * hop;
    float e = 0.f, pk = 0.f;
    int cross = 0, carry = 0;
    for (int k = lane; k < len; k += 32) {
      int s = x[k];
      float v = (float)s * (1.f / 32768.f);
      float w = v * window[k];
      e = fmaf(w, w, e);
      pk = fmaxf(pk, fabsf(v));
      unsigned neg = __ballot_sync(0xffffffffu, s < 0);
      cross += __popc(neg ^ ((neg << 1) | carry));
      carry = neg >> 31;
    }
    for (int d = 16; d; d >>= 1) {
      e += __shfl_xor_sync(0xffffffffu, e, d);
      pk = fmaxf(pk, __shfl_xor_sync(0xffffffffu, pk, d));
    }
    if (lane == 0) {
      rms_db[f] = 10.f * log10f(e / len + 1e-12f);
      peak[f] = pk;
      zc[f] = (unsigned short)cross;
    }
  }
}
