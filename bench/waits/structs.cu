// SPDX-License-Identifier: Apache-2.0
//
// Fields of structures, all or some of them; runs of elements; vectors.
#include "bench/waits/timing.h"
// F fields of a structure, of which R are read; one after the other or in a loop that is not
// unrolled.
template <int F, int R, bool LOOP, bool A>
__global__ void fields(const float* __restrict__ a, float* __restrict__ out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float x = 0;
  auto one = [&](int f) { x = x * 0.5F + a[A ? (size_t)f * n + t : (size_t)t * F + f]; };
  if (LOOP) {
#pragma unroll 1
    for (int f = 0; f < R; ++f) one(f);
  } else {
#pragma unroll
    for (int f = 0; f < R; ++f) one(f);
  }
  out[t] = x;
}
// All fields are read and written.
template <int F, bool A>
__global__ void update(float* a, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float v[F];
#pragma unroll
  for (int f = 0; f < F; ++f) v[f] = a[A ? (size_t)f * n + t : (size_t)t * F + f];
#pragma unroll
  for (int f = 0; f < F; ++f)
    a[A ? (size_t)f * n + t : (size_t)t * F + f] = v[f] * 0.5F + v[(f + 1) % F];
}
// A thread takes K elements side by side, or every gridful-th; copies.
template <class T, int K, int FORM>  // 0: side by side, 1: striped within the block
__global__ void runs(const T* __restrict__ a, T* __restrict__ out, int n) {
  const size_t t = (size_t)blockIdx.x * blockDim.x * K;
  T v[K];
#pragma unroll
  for (int k = 0; k < K; ++k)
    v[k] = a[t + (FORM == 0 ? threadIdx.x * K + k : k * blockDim.x + threadIdx.x)];
#pragma unroll
  for (int k = 0; k < K; ++k)
    out[t + (FORM == 0 ? threadIdx.x * K + k : k * blockDim.x + threadIdx.x)] = v[k] * (T)3;
}
template <class T, class V, int K>  // as vectors: K elements in each
__global__ void vectors(const T* __restrict__ a, T* __restrict__ out, int n) {
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  union {
    V whole;
    T part[K];
  } v;
  v.whole = reinterpret_cast<const V*>(a)[t];
#pragma unroll
  for (int k = 0; k < K; ++k) v.part[k] = v.part[k] * (T)3;
  reinterpret_cast<V*>(out)[t] = v.whole;
}
// Runs in a loop over the grid, summed: scalars or vectors.
template <class T, class V, int K, bool VECTOR>
__global__ void strided_sum(const T* __restrict__ a, float* __restrict__ out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int all = gridDim.x * blockDim.x;
  float x = 0;
  for (int i = t; i < n / K; i += all) {
    if (VECTOR) {
      union {
        V whole;
        T part[K];
      } v;
      v.whole = reinterpret_cast<const V*>(a)[i];
#pragma unroll
      for (int k = 0; k < K; ++k) x += (float)v.part[k];
    } else {
#pragma unroll
      for (int k = 0; k < K; ++k) x += (float)((const volatile T*)a)[(size_t)i * K + k];
    }
  }
  out[t] = x;
}
static const int kThreads[] = {1024, 4224, 33792, 135168, 540672, 4325376};
static int BlockOf(int n) { return n <= 4224 ? 32 : 256; }
template <int F, int R, bool LOOP>
void Fields() {
  char p[256];
  if (!Wanted("fields")) return;
  for (int n : kThreads) {
    const int block = BlockOf(n), grid = n / block;
    float* a = Pool((size_t)n * F * 4, 0);
    float* out = Pool((size_t)n * 4, 1);
    const double before = Median([&] { fields<F, R, LOOP, false><<<grid, block>>>(a, out, n); });
    const double after = Median([&] { fields<F, R, LOOP, true><<<grid, block>>>(a, out, n); });
    std::snprintf(p, sizeof p, "\"fields\":%d,\"read\":%d,\"loop\":%d,\"warps\":%d,\"block\":%d", F,
                  R, LOOP, n / 32, block);
    Line("fields", p, WarpsPerSm(fields<F, R, LOOP, false>, block), before, after);
  }
}
template <int F>
void Update() {
  char p[256];
  if (!Wanted("update")) return;
  for (int n : kThreads) {
    const int block = BlockOf(n), grid = n / block;
    float* a = Pool((size_t)n * F * 4, 0);
    const double before = Median([&] { update<F, false><<<grid, block>>>(a, n); });
    const double after = Median([&] { update<F, true><<<grid, block>>>(a, n); });
    std::snprintf(p, sizeof p, "\"fields\":%d,\"warps\":%d,\"block\":%d", F, n / 32, block);
    Line("update", p, WarpsPerSm(update<F, false>, block), before, after);
  }
}
template <class T, int K>
void Runs(const char* type) {
  char p[256];
  if (!Wanted("runs")) return;
  for (int n : kThreads) {
    if ((size_t)n * K * sizeof(T) > (size_t{300} << 20)) continue;
    const int block = BlockOf(n), grid = n / block;
    T* a = (T*)Pool((size_t)n * K * sizeof(T), 0);
    T* out = (T*)Pool((size_t)n * K * sizeof(T), 1);
    const double before = Median([&] { runs<T, K, 0><<<grid, block>>>(a, out, n); });
    const double after = Median([&] { runs<T, K, 1><<<grid, block>>>(a, out, n); });
    std::snprintf(p, sizeof p, "\"type\":\"%s\",\"k\":%d,\"warps\":%d,\"block\":%d", type, K,
                  n / 32, block);
    Line("runs", p, WarpsPerSm(runs<T, K, 0>, block), before, after);
  }
}
template <class T, class V, int K>
void Vectors(const char* type) {
  char p[256];
  if (!Wanted("vectors")) return;
  for (int n : kThreads) {
    const int block = BlockOf(n), grid = n / block;
    T* a = (T*)Pool((size_t)n * sizeof(V), 0);
    T* out = (T*)Pool((size_t)n * sizeof(V), 1);
    const double before = Median([&] { runs<T, K, 0><<<grid, block>>>(a, out, n); });
    const double after = Median([&] { vectors<T, V, K><<<grid, block>>>(a, out, n); });
    std::snprintf(p, sizeof p, "\"type\":\"%s\",\"k\":%d,\"warps\":%d,\"block\":%d", type, K,
                  n / 32, block);
    Line("vectors", p, WarpsPerSm(runs<T, K, 0>, block), before, after);
  }
}
template <class T, class V, int K>
void StridedSum(const char* type) {
  char p[256];
  if (!Wanted("strided_sum")) return;
  for (int warps : {4, 128, 1056, 4224, 8448}) {
    const int n = 1 << (warps < 100 ? 20 : 24), block = BlockOf(warps * 32),
              grid = warps * 32 / block;
    T* a = (T*)Pool((size_t)n * sizeof(T), 0);
    float* out = Pool((size_t)warps * 32 * 4, 1);
    const double before = Median([&] { strided_sum<T, V, K, false><<<grid, block>>>(a, out, n); });
    const double after = Median([&] { strided_sum<T, V, K, true><<<grid, block>>>(a, out, n); });
    std::snprintf(p, sizeof p, "\"type\":\"%s\",\"k\":%d,\"warps\":%d,\"block\":%d", type, K, warps,
                  block);
    Line("strided_sum", p, WarpsPerSm(strided_sum<T, V, K, false>, block), before, after);
  }
}
int main(int argc, char** argv) {
  Options(argc, argv);
  Fields<2, 2, false>();
  Fields<4, 4, false>();
  Fields<8, 8, false>();
  Fields<16, 16, false>();
  Fields<32, 32, false>();
  Fields<8, 8, true>();
  Fields<16, 16, true>();
  Fields<32, 32, true>();
  Fields<2, 1, false>();
  Fields<4, 1, false>();
  Fields<8, 1, false>();
  Fields<8, 4, false>();
  Fields<16, 1, false>();
  Fields<16, 8, false>();
  Fields<3, 3, false>();
  Update<2>();
  Update<3>();
  Update<4>();
  Update<8>();
  Update<16>();
  Runs<float, 2>("float");
  Runs<float, 4>("float");
  Runs<float, 8>("float");
  Runs<float, 16>("float");
  Runs<float, 32>("float");
  Runs<unsigned char, 4>("uchar");
  Runs<unsigned char, 8>("uchar");
  Runs<unsigned char, 16>("uchar");
  Runs<unsigned char, 32>("uchar");
  Runs<double, 2>("double");
  Runs<double, 4>("double");
  Runs<double, 8>("double");
  Runs<double, 16>("double");
  Vectors<float, float2, 2>("float");
  Vectors<float, float4, 4>("float");
  Vectors<unsigned char, uchar4, 4>("uchar");
  Vectors<unsigned char, uint4, 16>("uchar");
  Vectors<double, double2, 2>("double");
  Vectors<unsigned short, uint2, 4>("ushort");
  StridedSum<float, float2, 2>("float");
  StridedSum<float, float4, 4>("float");
  StridedSum<unsigned char, uchar4, 4>("uchar");
  StridedSum<unsigned short, uint2, 4>("ushort");
  StridedSum<double, double2, 2>("double");
}
