// SPDX-License-Identifier: Apache-2.0
//
// Reciprocal part of an Ewald sum: structure factor S(k), one block a k vector.
#include <cuda_runtime.h>

__device__ __forceinline__ double warp_sum(double v) {
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

extern "C" __global__ void ewald_sk(const double* __restrict__ x, const double* __restrict__ y,
                                    const double* __restrict__ z, const float* __restrict__ charge,
                                    const double* __restrict__ kvec, double* __restrict__ energy,
                                    double* __restrict__ sk, int natom, double alpha,
                                    double volume) {
  __shared__ double red[2][32];
  const int k = blockIdx.x;
  const double kx = kvec[3 * k], ky = kvec[3 * k + 1], kz = kvec[3 * k + 2];

  const int per = (natom + blockDim.x - 1) / blockDim.x;
  const int lo = threadIdx.x * per;
  const int hi = min(lo + per, natom);
  double re = 0.0, im = 0.0;
  for (int i = lo; i < hi; ++i) {
    double ph = kx * x[i] + ky * y[i] + kz * z[i];
    double s, c;
    sincos(ph, &s, &c);
    double q = charge[i];
    re += q * c;
    im += q * s;
  }

  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  re = warp_sum(re);
  im = warp_sum(im);
  if (lane == 0) {
    red[0][w] = re;
    red[1][w] = im;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < (int)(blockDim.x >> 5); ++i) {
      re += red[0][i];
      im += red[1][i];
    }
    double k2 = kx * kx + ky * ky + kz * kz;
    double g = 12.566370614359172 / (volume * k2) * exp(-k2 / (4.0 * alpha * alpha));
    energy[k] = 0.5 * g * (re * re + im * im);
    sk[2 * k] = re;
    sk[2 * k + 1] = im;
  }
}
