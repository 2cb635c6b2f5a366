// SPDX-License-Identifier: Apache-2.0
//
// Much arithmetic for each element, which is read a row apart: most of the sectors are wasted, and
// hardly any of the time.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kSize = 2048;
constexpr unsigned kSteps = 2048;

// No step can be folded into the one before: a shift stands between two products.
__device__ unsigned Mix(unsigned value) {
  for (unsigned k = 0; k < kSteps; ++k) {
    value ^= value >> 15U;
    value = value * 1664525U + 1013904223U;
  }
  return value;
}

// Both read the transposed matrix, of which one was stored so that lanes lie side by side.
__global__ void compute_bound_bad(const unsigned* in, unsigned* out) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  out[blockIdx.y * kSize + col] = Mix(in[col * kSize + blockIdx.y]);
}

__global__ void compute_bound_good(const unsigned* in, unsigned* out) {
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  out[blockIdx.y * kSize + col] = Mix(in[blockIdx.y * kSize + col]);
}

template <typename Kernel>
Side Make(Kernel kernel, bool by_rows) {
  std::vector<unsigned> matrix(std::size_t{kSize} * kSize);
  for (unsigned row = 0; row < kSize; ++row) {
    for (unsigned col = 0; col < kSize; ++col) {
      matrix[by_rows ? row * kSize + col : col * kSize + row] = row * kSize + col;
    }
  }
  const auto in = std::make_shared<DeviceArray<unsigned>>(matrix);
  const auto out = MakeArray<unsigned>(matrix.size());
  return {[=] { kernel<<<dim3(kSize / 256, kSize), 256>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"compute_bound", [] { return Make(compute_bound_bad, false); },
               [] { return Make(compute_bound_good, true); }});
}
