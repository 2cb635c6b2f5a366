// SPDX-License-Identifier: Apache-2.0
//
// A step of the heat equation in space: neighbouring threads along the slowest axis or fastest.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kSide = 256;

__device__ void Step(const float* in, float* out, int x, int y, int z, int n) {
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  const int i = (z * n + y) * n + x;
  out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
}

__global__ void heat_planes_bad(const float* in, float* out, int n) {
  const int z = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = blockIdx.z * blockDim.z + threadIdx.z;
  Step(in, out, x, y, z, n);
}

__global__ void heat_planes_good(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  Step(in, out, x, y, z, n);
}

template <typename Kernel>
Side Make(Kernel kernel) {
  const auto in = MakeArray<float>(std::size_t{kSide} * kSide * kSide);
  in->FillWithSmallPattern();
  const auto out = MakeArray<float>(std::size_t{kSide} * kSide * kSide);
  const dim3 block(32, 4, 2);
  const dim3 grid(kSide / 32, kSide / 4, kSide / 2);
  return {[=] { kernel<<<grid, block>>>(in->data(), out->data(), kSide); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(
      argc, argv,
      {"heat_planes", [] { return Make(heat_planes_bad); }, [] { return Make(heat_planes_good); }});
}
