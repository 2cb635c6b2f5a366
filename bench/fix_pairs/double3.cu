// SPDX-License-Identifier: Apache-2.0
//
// Structures of three doubles of which all are used: each load wastes two thirds of its sectors,
// and its siblings use them. The repair moves the same bytes.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kCount = 1 << 24;
constexpr unsigned kBlock = 256;

struct Vector {
  double x, y, z;
};

__global__ void double3_bad(const Vector* in, double* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].x + 2 * in[i].y + 3 * in[i].z;
}

__global__ void double3_good(const double* x, const double* y, const double* z, double* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] + 2 * y[i] + 3 * z[i];
}

Side Bad() {
  std::vector<Vector> some(samples::kPatternLength);
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto value = samples::PatternAt<double>(i);
    some[i] = {value, value, value};
  }
  const auto in = MakeArray<Vector>(kCount);
  in->FillRepeating(some);
  const auto out = MakeArray<double>(kCount);
  return {[=] { double3_bad<<<kCount / kBlock, kBlock>>>(in->data(), out->data()); },
          [=] { return Values(*out); }};
}

Side Good() {
  Shared<double> in[3];
  for (Shared<double>& one : in) {
    one = MakeArray<double>(kCount);
    one->FillWithPattern();
  }
  const auto out = MakeArray<double>(kCount);
  return {[=] {
            double3_good<<<kCount / kBlock, kBlock>>>(in[0]->data(), in[1]->data(), in[2]->data(),
                                                      out->data());
          },
          [=] { return Values(*out); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"double3", Bad, Good}); }
