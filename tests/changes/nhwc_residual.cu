// SPDX-License-Identifier: Apache-2.0
//
// Inference of a convolutional network: folded batch normalization, residual and ReLU on half
// precision activations that the convolution leaves channels last.
#include "harness.h"

struct Shape {
  int n, h, w, c;
  __host__ __device__ int size() const { return n * h * w * c; }
};

template <class T>
class Nhwc {
  T* data_;
  Shape s_;

 public:
  __host__ __device__ Nhwc(T* data, Shape s) : data_(data), s_(s) {}
  __device__ T& operator()(int n, int c, int y, int x) const {
    return data_[((size_t)(n * s_.h + y) * s_.w + x) * s_.c + c];
  }
};

template <class T>
__global__ void nhwc_residual_naive(Nhwc<const T> in, Nhwc<const T> skip, Nhwc<T> out, Shape s,
                                    const float* __restrict__ scale,
                                    const float* __restrict__ shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.size()) return;
  int rest = i;
  const int x = rest % s.w;
  rest /= s.w;
  const int y = rest % s.h;
  rest /= s.h;
  const int c = rest % s.c;
  const int n = rest / s.c;
  const float conv = (float)in(n, c, y, x);
  const float residual = (float)skip(n, c, y, x);
  const float sum = conv * scale[c] + shift[c] + residual;
  out(n, c, y, x) = (T)fmaxf(sum, 0.f);
}

template <class T>
__global__ void nhwc_residual_repaired(Nhwc<const T> in, Nhwc<const T> skip, Nhwc<T> out, Shape s,
                                       const float* __restrict__ scale,
                                       const float* __restrict__ shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.size()) return;
  int rest = i;
  const int c = rest % s.c;
  rest /= s.c;
  const int x = rest % s.w;
  rest /= s.w;
  const int y = rest % s.h;
  const int n = rest / s.h;
  const float conv = (float)in(n, c, y, x);
  const float residual = (float)skip(n, c, y, x);
  const float sum = conv * scale[c] + shift[c] + residual;
  out(n, c, y, x) = (T)fmaxf(sum, 0.f);
}

int main(int argc, char** argv) {
  using T = __half;
  const Shape s{12, 56, 56, 192};
  Random rnd{17};
  const auto value = [&](int) { return __float2half(4.f * Unit(rnd()) - 2.f); };
  const auto in = Upload(Generate(s.size(), value)), skip = Upload(Generate(s.size(), value));
  const auto scale = Upload(Generate(s.c, [](int c) { return 0.5f + 0.005f * c; }));
  const auto shift = Upload(Generate(s.c, [](int c) { return 0.1f * (c % 7) - 0.3f; }));
  const auto a = Allocate<T>(s.size()), b = Allocate<T>(s.size());

  const Nhwc<const T> x(in, s), r(skip, s);
  const Nhwc<T> ya(a, s), yb(b, s);
  const int threads = 256, blocks = (s.size() + threads - 1) / threads;
  const auto naive = [&] {
    nhwc_residual_naive<T><<<blocks, threads>>>(x, r, ya, s, scale, shift);
  };
  const auto repaired = [&] {
    nhwc_residual_repaired<T><<<blocks, threads>>>(x, r, yb, s, scale, shift);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b, 1e-3, 2e-3); });
}
