// SPDX-License-Identifier: Apache-2.0
//
// Times of kernels: median of 20 launches, each between two events.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>
#define CK(x)                                                                         \
  do {                                                                                \
    cudaError_t e_ = (x);                                                             \
    if (e_ != cudaSuccess) {                                                          \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (0)
inline int g_launches = 20;
inline bool g_cold = false;  // L2 is overwritten before each launch
inline unsigned char* g_scratch = nullptr;
inline const char* g_only = nullptr;
constexpr size_t kScratch = size_t{128} << 20;
inline float* Pool(size_t bytes, int which) {
  static void* pools[3];
  static size_t sizes[3];
  if (sizes[which] < bytes) {
    if (pools[which]) CK(cudaFree(pools[which]));
    CK(cudaMalloc(&pools[which], bytes));
    sizes[which] = bytes;
    CK(cudaMemset(pools[which], 0, bytes));
  }
  return static_cast<float*>(pools[which]);
}
template <class F>
double Median(F launch) {
  static cudaEvent_t a, b;
  static bool made = false;
  if (!made) {
    CK(cudaEventCreate(&a));
    CK(cudaEventCreate(&b));
    made = true;
    CK(cudaMalloc(&g_scratch, kScratch));
  }
  launch();
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::vector<float> t;
  for (int i = 0; i < g_launches; ++i) {
    if (g_cold) CK(cudaMemsetAsync(g_scratch, i, kScratch));
    CK(cudaEventRecord(a));
    launch();
    CK(cudaEventRecord(b));
    CK(cudaEventSynchronize(b));
    float ms;
    CK(cudaEventElapsedTime(&ms, a, b));
    t.push_back(ms * 1000);
  }
  std::sort(t.begin(), t.end());
  return (t[(t.size() - 1) / 2] + t[t.size() / 2]) / 2;
}
template <class K>
int WarpsPerSm(K k, int block, size_t shared = 0) {
  int n = 0;
  CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, block, shared));
  return n * ((block + 31) / 32);
}
// One line: what, its parameters, how many warps a multiprocessor could hold, both times in us.
inline void Line(const std::string& what, const std::string& parameters, int warps_before,
                 double before, double after) {
  std::printf(
      "{\"what\":\"%s\",%s,\"cold\":%d,\"warps_per_sm\":%d,\"before_us\":%.2f,\"after_us\":%.2f,"
      "\"speedup\":%.3f}\n",
      what.c_str(), parameters.c_str(), g_cold ? 1 : 0, warps_before, before, after,
      before / after);
  std::fflush(stdout);
}
inline void Options(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "cold"))
      g_cold = true;
    else if (!std::strncmp(argv[i], "launches=", 9))
      g_launches = std::atoi(argv[i] + 9);
    else
      g_only = argv[i];
  }
}
inline bool Wanted(const char* what) { return !g_only || std::strstr(what, g_only); }
