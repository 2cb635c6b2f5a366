// SPDX-License-Identifier: Apache-2.0
//
// Speech front end: cuts 16-bit PCM into overlapping frames, applies the analysis
// window and writes the framed signal as float; log energy and absolute peak
// of each frame are reduced over the thread block.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                    \
  do {                                                                                 \
    const cudaError_t err = (call);                                                    \
    if (err != cudaSuccess) {                                                          \
      fprintf(stderr, "CUDA error, line %d: %s\n", __LINE__, cudaGetErrorString(err)); \
      exit(2);                                                                         \
    }                                                                                  \
  } while (0)

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

template <class Launch>
static void bench(const char* tag, Launch go) {
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  go();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) go();
  CHECK(cudaEventRecord(b));
  CHECK(cudaGetLastError());
  CHECK(cudaEventSynchronize(b));
  float ms;
  CHECK(cudaEventElapsedTime(&ms, a, b));
  printf("%-8s %.4f ms\n", tag, ms / 5);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "both";
  const bool naive = !strcmp(mode, "naive") || !strcmp(mode, "both");
  const bool repaired = !strcmp(mode, "repaired") || !strcmp(mode, "both");
  if (!naive && !repaired) return 1;

  constexpr int THREADS = 128, ITEMS = 8, LEN = THREADS * ITEMS;
  FramePlan plan;
  plan.hop = 480;
  plan.frames = 10000;
  const size_t samples = (size_t)(plan.frames - 1) * plan.hop + LEN;
  const size_t outn = (size_t)plan.frames * LEN;

  std::vector<int16_t> pcm(samples);
  std::vector<float> win(LEN);
  uint32_t s = 1u;
  for (auto& v : pcm) {
    s = s * 1664525u + 1013904223u;
    v = (int16_t)((int)(s >> 16) - 32768);
  }
  for (int i = 0; i < LEN; ++i) win[i] = 0.54f - 0.46f * std::cos(6.2831853f * i / (LEN - 1));

  int16_t* dpcm;
  float *dwin, *out[2];
  FrameStat* st[2];
  CHECK(cudaMalloc(&dpcm, samples * sizeof(int16_t)));
  CHECK(cudaMalloc(&dwin, LEN * sizeof(float)));
  for (int k = 0; k < 2; ++k) {
    CHECK(cudaMalloc(&out[k], outn * sizeof(float)));
    CHECK(cudaMalloc(&st[k], plan.frames * sizeof(FrameStat)));
  }
  CHECK(cudaMemcpy(dpcm, pcm.data(), samples * sizeof(int16_t), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dwin, win.data(), LEN * sizeof(float), cudaMemcpyHostToDevice));

  if (naive)
    bench("naive", [&] {
      pcm_framing_naive<THREADS, ITEMS><<<plan.frames, THREADS>>>(dpcm, dwin, out[0], st[0], plan);
    });
  if (repaired)
    bench("repaired", [&] {
      pcm_framing_repaired<THREADS, ITEMS>
          <<<plan.frames, THREADS>>>(dpcm, dwin, out[1], st[1], plan);
    });

  if (naive && repaired) {
    std::vector<float> a(outn), b(outn);
    std::vector<FrameStat> sa(plan.frames), sb(plan.frames);
    CHECK(cudaMemcpy(a.data(), out[0], outn * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(b.data(), out[1], outn * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sa.data(), st[0], plan.frames * sizeof(FrameStat), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sb.data(), st[1], plan.frames * sizeof(FrameStat), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < outn; ++i)
      if (!(std::fabs(a[i] - b[i]) <= 1e-6f)) {
        fprintf(stderr, "sample %zu: %g %g\n", i, a[i], b[i]);
        return 3;
      }
    for (int f = 0; f < plan.frames; ++f)
      if (!(std::fabs(sa[f].log_energy - sb[f].log_energy) <= 1e-3f) || sa[f].peak != sb[f].peak) {
        fprintf(stderr, "frame %d: %g %g\n", f, sa[f].log_energy, sb[f].log_energy);
        return 3;
      }
    puts("results agree");
  }
  CHECK(cudaFree(dpcm));
  CHECK(cudaFree(dwin));
  for (int k = 0; k < 2; ++k) {
    CHECK(cudaFree(out[k]));
    CHECK(cudaFree(st[k]));
  }
  return 0;
}
