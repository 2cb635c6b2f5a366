// SPDX-License-Identifier: Apache-2.0
//
// Products of complex numbers: real and imaginary parts loaded one by one, or as vectors.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 1 << 22;
constexpr unsigned kBlock = 256;

__global__ void complex_product_bad(const float* a, const float* b, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float real = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
  const float imaginary = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
  out[2 * i] = real;
  out[2 * i + 1] = imaginary;
}

__global__ void complex_product_good(const float* a, const float* b, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 x = reinterpret_cast<const float2*>(a)[i];
  const float2 y = reinterpret_cast<const float2*>(b)[i];
  reinterpret_cast<float2*>(out)[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

template <typename Kernel>
Side Make(Kernel kernel, bool) {
  const auto a = MakeArray<float>(std::size_t{kCount} * 2);
  a->FillWithSmallPattern();
  const auto b = MakeArray<float>(a->size());
  b->FillWithSmallPattern();
  const auto out = MakeArray<float>(a->size());
  return {[=] { kernel<<<kCount / kBlock, kBlock>>>(a->data(), b->data(), out->data()); },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"complex_product", [] { return Make(complex_product_bad, false); },
               [] { return Make(complex_product_good, true); }});
}
