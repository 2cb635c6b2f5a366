// SPDX-License-Identifier: Apache-2.0
//
// Transformer block tail: y = LayerNorm(x + dropscale * residual) over the hidden
// dimension, with a learned gain and bias. Also keeps mean and 1/std of each
// token for the backward pass.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA_OK(x) cuda_ok((x), __LINE__)
static void cuda_ok(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
    exit(2);
  }
}

struct LnParams {
  const float* x;
  const float* res;
  const float* gain;
  const float* bias;
  float* y;
  float* mean;
  float* rstd;
  int tokens;
  int hidden;
  float dropscale;
  float eps;
};

__global__ void __launch_bounds__(128) residual_layernorm_naive(const LnParams p) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= p.tokens) return;

  const size_t row = (size_t)token * p.hidden;
  float acc = 0.f, acc2 = 0.f;
  for (int h = 0; h < p.hidden; ++h) {
    const float v = fmaf(p.dropscale, p.res[row + h], p.x[row + h]);
    acc += v;
    acc2 = fmaf(v, v, acc2);
  }
  const float mu = acc / p.hidden;
  const float var = fmaxf(acc2 / p.hidden - mu * mu, 0.f);
  const float rs = rsqrtf(var + p.eps);

  float* out = p.y + row;
  for (int h = 0; h < p.hidden; ++h) {
    const float v = fmaf(p.dropscale, p.res[row + h], p.x[row + h]);
    out[h] = (v - mu) * rs * __ldg(p.gain + h) + __ldg(p.bias + h);
  }
  p.mean[token] = mu;
  p.rstd[token] = rs;
}

__device__ __forceinline__ float all_lanes_sum(float v) {
#pragma unroll
  for (int m = 16; m; m >>= 1) v += __shfl_xor_sync(0xffffffffu, v, m);
  return v;
}

__global__ void __launch_bounds__(128) residual_layernorm_repaired(const LnParams p) {
  const int token = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (token >= p.tokens) return;  // uniform over the warp

  const size_t row = (size_t)token * p.hidden;
  float acc = 0.f, acc2 = 0.f;
  for (int h = lane; h < p.hidden; h += 32) {
    const float v = fmaf(p.dropscale, p.res[row + h], p.x[row + h]);
    acc += v;
    acc2 = fmaf(v, v, acc2);
  }
  acc = all_lanes_sum(acc);
  acc2 = all_lanes_sum(acc2);
  const float mu = acc / p.hidden;
  const float var = fmaxf(acc2 / p.hidden - mu * mu, 0.f);
  const float rs = rsqrtf(var + p.eps);

  float* out = p.y + row;
  for (int h = lane; h < p.hidden; h += 32) {
    const float v = fmaf(p.dropscale, p.res[row + h], p.x[row + h]);
    out[h] = (v - mu) * rs * __ldg(p.gain + h) + __ldg(p.bias + h);
  }
  if (lane == 0) {
    p.mean[token] = mu;
    p.rstd[token] = rs;
  }
}

template <class Launch>
static float bench(const char* tag, Launch go) {
  cudaEvent_t a, b;
  CUDA_OK(cudaEventCreate(&a));
  CUDA_OK(cudaEventCreate(&b));
  go();
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) go();
  CUDA_OK(cudaEventRecord(b));
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaEventSynchronize(b));
  float ms;
  CUDA_OK(cudaEventElapsedTime(&ms, a, b));
  printf("%s: %.4f ms per launch\n", tag, ms / 5);
  return ms / 5;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool both = !strcmp(mode, "both");
  const bool naive = both || !strcmp(mode, "naive");
  const bool repaired = both || !strcmp(mode, "repaired");
  if (!naive && !repaired) return 1;

  LnParams p{};
  p.tokens = 8192;
  p.hidden = 768;
  p.dropscale = 0.9f;
  p.eps = 1e-5f;
  const size_t n = (size_t)p.tokens * p.hidden;

  std::vector<float> hx(n), hr(n), hg(p.hidden), hb(p.hidden);
  unsigned s = 7u;
  for (size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    hx[i] = (float)(s >> 9) * (1.f / (1 << 23)) - 0.5f;
    s = s * 1664525u + 1013904223u;
    hr[i] = (float)(s >> 9) * (2.f / (1 << 23)) - 0.9f;
  }
  for (int h = 0; h < p.hidden; ++h) {
    hg[h] = 1.f + 0.0003f * h;
    hb[h] = 0.25f - 0.0005f * h;
  }

  float *x, *r, *g, *b, *y[2], *mean[2], *rstd[2];
  CUDA_OK(cudaMalloc(&x, n * 4));
  CUDA_OK(cudaMalloc(&r, n * 4));
  CUDA_OK(cudaMalloc(&g, p.hidden * 4));
  CUDA_OK(cudaMalloc(&b, p.hidden * 4));
  for (int k = 0; k < 2; ++k) {
    CUDA_OK(cudaMalloc(&y[k], n * 4));
    CUDA_OK(cudaMalloc(&mean[k], p.tokens * 4));
    CUDA_OK(cudaMalloc(&rstd[k], p.tokens * 4));
  }
  CUDA_OK(cudaMemcpy(x, hx.data(), n * 4, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(r, hr.data(), n * 4, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(g, hg.data(), p.hidden * 4, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(b, hb.data(), p.hidden * 4, cudaMemcpyHostToDevice));
  p.x = x;
  p.res = r;
  p.gain = g;
  p.bias = b;

  if (naive) {
    p.y = y[0];
    p.mean = mean[0];
    p.rstd = rstd[0];
    bench("naive", [&] { residual_layernorm_naive<<<(p.tokens + 127) / 128, 128>>>(p); });
  }
  if (repaired) {
    p.y = y[1];
    p.mean = mean[1];
    p.rstd = rstd[1];
    bench("repaired", [&] { residual_layernorm_repaired<<<(p.tokens + 3) / 4, 128>>>(p); });
  }
  if (both) {
    std::vector<float> ya(n), yb(n), ma(p.tokens), mb(p.tokens);
    CUDA_OK(cudaMemcpy(ya.data(), y[0], n * 4, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(yb.data(), y[1], n * 4, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(ma.data(), rstd[0], p.tokens * 4, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(mb.data(), rstd[1], p.tokens * 4, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; ++i)
      if (!(std::fabs(ya[i] - yb[i]) <= 2e-3f)) {
        fprintf(stderr, "y differs at %zu: %g %g\n", i, ya[i], yb[i]);
        return 3;
      }
    for (int i = 0; i < p.tokens; ++i)
      if (!(std::fabs(ma[i] - mb[i]) <= 2e-3f)) {
        fprintf(stderr, "rstd differs at %d: %g %g\n", i, ma[i], mb[i]);
        return 3;
      }
    puts("results agree");
  }
  return 0;
}
