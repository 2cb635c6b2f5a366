// SPDX-License-Identifier: Apache-2.0
//
// Mixed-precision AdamW: bf16 weights and gradients, fp32 moments and master copy, four elements a
// thread.
#include <cuda_bf16.h>

struct __align__(8) B4 {
  __nv_bfloat162 a, b;
};

__device__ __forceinline__ float upd(float& w, float& m, float& v, float g, float lr, float b1,
                                     float b2, float c1, float c2, float eps, float wd) {
  m = b1 * m + (1.f - b1) * g;
  v = b2 * v + (1.f - b2) * g * g;
  w -= lr * (m * c1 / (sqrtf(v * c2) + eps) + wd * w);
  return w;
}

template <bool CLIP>
__global__ void adamw_fused(B4* __restrict__ weight, const B4* __restrict__ grad,
                            float4* __restrict__ master, float4* __restrict__ mom,
                            float4* __restrict__ var, const float* __restrict__ gnorm,
                            long long nvec, float lr, float b1, float b2, float c1, float c2,
                            float eps, float wd, float max_norm) {
  float sc = CLIP ? fminf(1.f, max_norm / (*gnorm + 1e-6f)) : 1.f;
  long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < nvec; i += step) {
    B4 g4 = grad[i];
    float4 w = master[i], m = mom[i], v = var[i];
    float2 g0 = __bfloat1622float2(g4.a), g1 = __bfloat1622float2(g4.b);
    upd(w.x, m.x, v.x, g0.x * sc, lr, b1, b2, c1, c2, eps, wd);
    upd(w.y, m.y, v.y, g0.y * sc, lr, b1, b2, c1, c2, eps, wd);
    upd(w.z, m.z, v.z, g1.x * sc, lr, b1, b2, c1, c2, eps, wd);
    upd(w.w, m.w, v.w, g1.y * sc, lr, b1, b2, c1, c2, eps, wd);
    master[i] = w;
    mom[i] = m;
    var[i] = v;
    B4 o;
    o.a = __floats2bfloat162_rn(w.x, w.y);
    o.b = __floats2bfloat162_rn(w.z, w.w);
    weight[i] = o;
  }
}

template __global__ void adamw_fused<true>(B4*, const B4*, float4*, float4*, float4*, const float*,
                                           long long, float, float, float, float, float, float,
                                           float, float);
