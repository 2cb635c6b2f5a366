// SPDX-License-Identifier: Apache-2.0
//
// Transformer block tail: y = LayerNorm(x + dropscale * residual) over the hidden
// dimension, with a learned gain and bias. Also keeps mean and 1/std of each
// token for the backward pass.
#include "harness.h"

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

int main(int argc, char** argv) {
  const int tokens = 8192, hidden = 768;
  const size_t n = (size_t)tokens * hidden;
  std::vector<float> hx(n), hr(n);
  Random rnd{7};
  for (size_t i = 0; i < n; ++i) {
    hx[i] = (float)(rnd() >> 9) * (1.f / (1 << 23)) - 0.5f;
    hr[i] = (float)(rnd() >> 9) * (2.f / (1 << 23)) - 0.9f;
  }
  const auto x = Upload(hx), r = Upload(hr);
  const auto gain = Upload(Generate(hidden, [](int h) { return 1.f + 0.0003f * h; }));
  const auto bias = Upload(Generate(hidden, [](int h) { return 0.25f - 0.0005f * h; }));
  const auto ya = Allocate<float>(n), yb = Allocate<float>(n), mean = Allocate<float>(tokens);
  const auto ra = Allocate<float>(tokens), rb = Allocate<float>(tokens);
  const LnParams pa{x, r, gain, bias, ya, mean, ra, tokens, hidden, 0.9f, 1e-5f};
  const LnParams pb{x, r, gain, bias, yb, mean, rb, tokens, hidden, 0.9f, 1e-5f};

  const auto naive = [&] { residual_layernorm_naive<<<(tokens + 127) / 128, 128>>>(pa); };
  const auto repaired = [&] { residual_layernorm_repaired<<<(tokens + 3) / 4, 128>>>(pb); };
  return Run(argc, argv, naive, repaired, [&] { return Near(ya, yb, 2e-3) && Near(ra, rb, 2e-3); });
}
