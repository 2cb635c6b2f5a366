// SPDX-License-Identifier: Apache-2.0
//
// Many tridiagonal systems, a thread to a system, few threads that wait for every step: equations
// of a system lie side by side and lanes are a system apart. The repair interleaves the systems.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kSystems = 16384;
constexpr unsigned kSize = 96;
constexpr unsigned kBlock = 64;

struct Systems {
  const float *lower, *middle, *upper, *right;
  float *scratch, *x;
};

// Thomas's algorithm on the equations first, first + step, ...; fused by hand, so that both kernels
// round alike.
__device__ void Solve(const Systems& all, unsigned first, unsigned step) {
  float c = 0;
  float d = 0;
  for (unsigned k = 0; k < kSize; ++k) {
    const unsigned i = first + k * step;
    const float lower = all.lower[i];
    const float scale = __fdiv_rn(1, __fmaf_rn(-lower, c, all.middle[i]));
    c = __fmul_rn(all.upper[i], scale);
    d = __fmul_rn(__fmaf_rn(-lower, d, all.right[i]), scale);
    all.scratch[i] = c;
    all.x[i] = d;
  }
  float x = d;
  for (unsigned k = kSize - 1; k-- > 0;) {
    const unsigned i = first + k * step;
    x = __fmaf_rn(-all.scratch[i], x, all.x[i]);
    all.x[i] = x;
  }
}

__global__ void tridiagonal_bad(Systems all) {
  Solve(all, (blockIdx.x * blockDim.x + threadIdx.x) * kSize, 1);
}

__global__ void tridiagonal_good(Systems all) {
  Solve(all, blockIdx.x * blockDim.x + threadIdx.x, kSystems);
}

template <typename Kernel>
Side Make(Kernel kernel, bool interleaved) {
  const auto place = [=](unsigned system, unsigned k) {
    return interleaved ? k * kSystems + system : system * kSize + k;
  };
  const auto fill = [&](unsigned least, unsigned choices) {
    std::vector<float> values(std::size_t{kSystems} * kSize);
    for (unsigned system = 0; system < kSystems; ++system) {
      for (unsigned k = 0; k < kSize; ++k) {
        values[place(system, k)] = static_cast<float>(least + (system * kSize + k) % choices);
      }
    }
    return std::make_shared<DeviceArray<float>>(values);
  };
  const auto lower = fill(1, 2);
  const auto middle = fill(6, 5);
  const auto upper = fill(1, 3);
  const auto right = fill(1, 97);
  const auto scratch = MakeArray<float>(right->size());
  const auto x = MakeArray<float>(right->size());
  const auto result = [=] {
    const std::vector<float> all = x->Slice(0, x->size());
    std::vector<double> values;
    for (unsigned system = 0; system < kSystems; ++system) {
      for (unsigned k = 0; k < kSize; ++k) values.push_back(all[place(system, k)]);
    }
    return values;
  };
  return {[=] {
            kernel<<<kSystems / kBlock, kBlock>>>({lower->data(), middle->data(), upper->data(),
                                                   right->data(), scratch->data(), x->data()});
          },
          result};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"tridiagonal", [] { return Make(tridiagonal_bad, false); },
               [] { return Make(tridiagonal_good, true); }});
}
