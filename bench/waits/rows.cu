// SPDX-License-Identifier: Apache-2.0
//
// A thread walks a row, element after element: rows one after the other, or interleaved.
#include "bench/waits/timing.h"
enum Mode { kSum, kInPlace, kCopy };
// I: interleaved, U: unrolled so often (0: as the compiler likes), W: dependent multiplications a
// round.
template <class T, int U, int W, int M, bool I>
__global__ void row_walk(T* __restrict__ a, T* __restrict__ out, int n, int len) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float x = 0;
  auto round = [&](int k) {
    const size_t i = I ? (size_t)k * n + t : (size_t)t * len + k;
    x = x * 0.5F + (float)a[i];
#pragma unroll
    for (int w = 0; w < W; ++w) x = x * 1.0001F + 0.25F;
    if (M == kInPlace) a[i] = (T)x;
    if (M == kCopy) out[i] = (T)x;
  };
  if (U == 1) {
#pragma unroll 1
    for (int k = 0; k < len; ++k) round(k);
  } else if (U == 8) {
#pragma unroll 8
    for (int k = 0; k < len; ++k) round(k);
  } else {
    for (int k = 0; k < len; ++k) round(k);
  }
  if (M == kSum) out[t] = (T)x;
}
// As many arrays at once.
template <int S, bool I>
__global__ void many_rows(const float* __restrict__ a, float* out, int n, int len) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float x = 0;
#pragma unroll 1
  for (int k = 0; k < len; ++k) {
    const size_t i = I ? (size_t)k * n + t : (size_t)t * len + k;
    float sum = 0;
#pragma unroll
    for (int s = 0; s < S; ++s) sum += a[(size_t)s * n * len + i];
    x = x * 0.5F + sum;
  }
  out[t] = x;
}
// What the next round does is decided by what this one loaded, which is looked up in a small table.
template <bool I>
__global__ void lookup_rows(const unsigned* __restrict__ a, const unsigned* __restrict__ table,
                            float* out, int n, int len) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float x = 0;
#pragma unroll 1
  for (int k = 0; k < len; ++k) {
    const size_t i = I ? (size_t)k * n + t : (size_t)t * len + k;
    const unsigned w = a[i];
    if (table[(w + k) & 1023])
      x += 1;
    else
      x = x * 0.5F + table[(w >> 5) & 1023];
  }
  out[t] = x;
}
static int BlockOf(int warps) { return warps <= 132 ? 32 : warps <= 1056 ? 64 : 256; }
static const int kWarps[] = {4, 32, 128, 264, 528, 1056, 2112, 4224, 8448, 16896};
static const int kLens[] = {32, 128, 512, 4096};
constexpr size_t kMostBytes = size_t{384} << 20;
template <class T, int U, int W, int M>
void Walk(const char* type) {
  char what[64], p[256];
  std::snprintf(what, sizeof what, "row_walk");
  if (!Wanted(what)) return;
  for (int warps : kWarps)
    for (int len : kLens) {
      const int n = warps * 32;
      const size_t bytes = (size_t)n * len * sizeof(T);
      if (bytes > kMostBytes) continue;
      const int block = BlockOf(warps);
      T* a = (T*)Pool(bytes, 0);
      T* out = (T*)Pool(M == kCopy ? bytes : n * sizeof(T), 1);
      const double before =
          Median([&] { row_walk<T, U, W, M, false><<<n / block, block>>>(a, out, n, len); });
      const double after =
          Median([&] { row_walk<T, U, W, M, true><<<n / block, block>>>(a, out, n, len); });
      std::snprintf(p, sizeof p,
                    "\"type\":\"%s\",\"unroll\":%d,\"work\":%d,\"mode\":\"%s\",\"warps\":%d,"
                    "\"len\":%d,\"block\":%d",
                    type, U, W,
                    M == kSum       ? "sum"
                    : M == kInPlace ? "in_place"
                                    : "copy",
                    warps, len, block);
      Line(what, p, WarpsPerSm(row_walk<T, U, W, M, false>, block), before, after);
    }
}
template <int S>
void Many() {
  char p[256];
  if (!Wanted("many_rows")) return;
  for (int warps : kWarps)
    for (int len : {32, 256}) {
      const int n = warps * 32;
      const size_t bytes = (size_t)n * len * 4 * S;
      if (bytes > kMostBytes) continue;
      const int block = BlockOf(warps);
      float* a = Pool(bytes, 0);
      float* out = Pool(n * 4, 1);
      const double before =
          Median([&] { many_rows<S, false><<<n / block, block>>>(a, out, n, len); });
      const double after =
          Median([&] { many_rows<S, true><<<n / block, block>>>(a, out, n, len); });
      std::snprintf(p, sizeof p, "\"arrays\":%d,\"warps\":%d,\"len\":%d,\"block\":%d", S, warps,
                    len, block);
      Line("many_rows", p, WarpsPerSm(many_rows<S, false>, block), before, after);
    }
}
static void Lookup() {
  char p[256];
  if (!Wanted("lookup_rows")) return;
  for (int block : {8, 32, 256})
    for (int warps : kWarps)
      for (int len : {8, 64}) {
        const int blocks = block == 256 ? warps / 8 : warps;
        if (blocks == 0) continue;
        const int n = blocks * block;
        unsigned* a = (unsigned*)Pool((size_t)n * len * 4, 0);
        float* out = Pool(n * 4, 1);
        unsigned* table = (unsigned*)Pool(4096, 2);
        const double before =
            Median([&] { lookup_rows<false><<<blocks, block>>>(a, table, out, n, len); });
        const double after =
            Median([&] { lookup_rows<true><<<blocks, block>>>(a, table, out, n, len); });
        std::snprintf(p, sizeof p, "\"warps\":%d,\"len\":%d,\"block\":%d", warps, len, block);
        Line("lookup_rows", p, WarpsPerSm(lookup_rows<false>, block), before, after);
      }
}
int main(int argc, char** argv) {
  Options(argc, argv);
  Walk<float, 1, 0, kSum>("float");
  Walk<float, 0, 0, kSum>("float");
  Walk<float, 8, 0, kSum>("float");
  Walk<float, 1, 32, kSum>("float");
  Walk<float, 0, 32, kSum>("float");
  Walk<float, 1, 0, kInPlace>("float");
  Walk<float, 0, 32, kInPlace>("float");
  Walk<float, 0, 0, kInPlace>("float");
  Walk<float, 0, 0, kCopy>("float");
  Walk<float, 0, 32, kCopy>("float");
  Walk<double, 1, 0, kSum>("double");
  Walk<double, 0, 0, kInPlace>("double");
  Walk<unsigned char, 1, 0, kSum>("uchar");
  Walk<unsigned char, 0, 0, kInPlace>("uchar");
  Many<2>();
  Many<4>();
  Many<8>();
  Lookup();
}
