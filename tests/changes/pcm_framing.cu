// SPDX-License-Identifier: Apache-2.0
//
// Speech front end: cuts 16-bit PCM into overlapping frames, applies the analysis
// window and writes the framed signal as float; log energy and absolute peak
// of each frame are reduced over the thread block.
#include "harness.h"

struct FramePlan {
  int hop;
  int frames;
};

struct FrameStat {
  float log_energy;
  float peak;
};

template <int WARPS>
__device__ __forceinline__ FrameStat reduce_frame(float e, float pk) {
  __shared__ float se[WARPS], sp[WARPS];
  for (int o = 16; o > 0; o >>= 1) {
    e += __shfl_xor_sync(~0u, e, o);
    pk = fmaxf(pk, __shfl_xor_sync(~0u, pk, o));
  }
  if ((threadIdx.x & 31) == 0) {
    se[threadIdx.x >> 5] = e;
    sp[threadIdx.x >> 5] = pk;
  }
  __syncthreads();
  e = 0.f;
  pk = 0.f;
  for (int w = 0; w < WARPS; ++w) {
    e += se[w];
    pk = fmaxf(pk, sp[w]);
  }
  return {logf(e + 1e-9f), pk};
}

// One block per frame; a frame has THREADS * ITEMS samples.
template <int THREADS, int ITEMS>
__global__ void __launch_bounds__(THREADS)
    pcm_framing_naive(const int16_t* __restrict__ pcm, const float* __restrict__ window,
                      float* __restrict__ framed, FrameStat* __restrict__ stat, FramePlan plan) {
  constexpr int LEN = THREADS * ITEMS;
  const int f = blockIdx.x;
  const int16_t* src = pcm + (size_t)f * plan.hop;
  float* dst = framed + (size_t)f * LEN;

  float energy = 0.f, peak = 0.f;
  const int begin = threadIdx.x * ITEMS;
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const int i = begin + j;
    const float raw = src[i] * (1.f / 32768.f);
    const float v = raw * window[i];
    dst[i] = v;
    energy = fmaf(v, v, energy);
    peak = fmaxf(peak, fabsf(raw));
  }
  const FrameStat s = reduce_frame<THREADS / 32>(energy, peak);
  if (threadIdx.x == 0) stat[f] = s;
}

template <int THREADS, int ITEMS>
__global__ void __launch_bounds__(THREADS)
    pcm_framing_repaired(const int16_t* __restrict__ pcm, const float* __restrict__ window,
                         float* __restrict__ framed, FrameStat* __restrict__ stat, FramePlan plan) {
  constexpr int LEN = THREADS * ITEMS;
  const int f = blockIdx.x;
  const int16_t* src = pcm + (size_t)f * plan.hop;
  float* dst = framed + (size_t)f * LEN;

  float energy = 0.f, peak = 0.f;
#pragma unroll
  for (int j = 0; j < ITEMS; ++j) {
    const int i = j * THREADS + threadIdx.x;
    const float raw = src[i] * (1.f / 32768.f);
    const float v = raw * window[i];
    dst[i] = v;
    energy = fmaf(v, v, energy);
    peak = fmaxf(peak, fabsf(raw));
  }
  const FrameStat s = reduce_frame<THREADS / 32>(energy, peak);
  if (threadIdx.x == 0) stat[f] = s;
}

int main(int argc, char** argv) {
  constexpr int THREADS = 128, ITEMS = 8, LEN = THREADS * ITEMS;
  const FramePlan plan{480, 10000};
  const size_t outn = (size_t)plan.frames * LEN;
  Random rnd{1};
  const auto pcm = Upload(Generate((size_t)(plan.frames - 1) * plan.hop + LEN,
                                   [&](int) { return (int16_t)((int)(rnd() >> 16) - 32768); }));
  const auto win = Upload(
      Generate(LEN, [](int i) { return 0.54f - 0.46f * std::cos(6.2831853f * i / (LEN - 1)); }));
  const auto a = Allocate<float>(outn), b = Allocate<float>(outn);
  const auto stat_a = Allocate<FrameStat>(plan.frames), stat_b = Allocate<FrameStat>(plan.frames);

  const auto naive = [&] {
    pcm_framing_naive<THREADS, ITEMS><<<plan.frames, THREADS>>>(pcm, win, a, stat_a, plan);
  };
  const auto repaired = [&] {
    pcm_framing_repaired<THREADS, ITEMS><<<plan.frames, THREADS>>>(pcm, win, b, stat_b, plan);
  };
  return Run(argc, argv, naive, repaired, [&] {
    const auto sa = Host(stat_a), sb = Host(stat_b);
    return Near(a, b, 1e-6) && All(sa.size(), [&](size_t f) {
             return Close(sa[f].log_energy, sb[f].log_energy, 1e-3) && sa[f].peak == sb[f].peak;
           });
  });
}
