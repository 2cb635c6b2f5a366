// SPDX-License-Identifier: Apache-2.0
//
// Statistics of an ensemble of weather forecasts: mean and spread of each grid point over all
// members, of packed values of 16 bits. Blocks are 4 x 8 x 8 points, so that lanes share rows of 8
// bytes only; the repair's blocks are 64 points wide.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

struct Grid {
  int longitudes, latitudes, levels, members;
};

constexpr Grid kGrid{384, 192, 32, 12};
constexpr std::size_t kPoints = 384UL * 192 * 32;

struct Spread {
  float mean, deviation;
};

template <typename Packed>
__device__ Spread SpreadAt(const Packed* __restrict__ first, int members, int member_size) {
  int sum = 0;
  int squares = 0;
  for (int m = 0; m < members; ++m) {
    const int value = first[m * member_size];
    sum += value;
    squares += value * value;
  }
  return {__fdiv_rn(static_cast<float>(sum), static_cast<float>(members)),
          __fdiv_rn(__fsqrt_rn(static_cast<float>(members * squares - sum * sum)),
                    static_cast<float>(members))};
}

__global__ void ensemble_spread_bad(const short* packed, float* mean, float* deviation, Grid grid) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (x >= grid.longitudes || y >= grid.latitudes || z >= grid.levels) return;
  const int point = (z * grid.latitudes + y) * grid.longitudes + x;
  const int size = grid.levels * grid.latitudes * grid.longitudes;
  const Spread spread = SpreadAt(packed + point, grid.members, size);
  mean[point] = spread.mean;
  deviation[point] = spread.deviation;
}

__global__ void ensemble_spread_good(const short* packed, float* mean, float* deviation,
                                     Grid grid) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (x >= grid.longitudes || y >= grid.latitudes || z >= grid.levels) return;
  const int point = (z * grid.latitudes + y) * grid.longitudes + x;
  const int size = grid.levels * grid.latitudes * grid.longitudes;
  const Spread spread = SpreadAt(packed + point, grid.members, size);
  mean[point] = spread.mean;
  deviation[point] = spread.deviation;
}

unsigned Blocks(int points, unsigned size) {
  return (static_cast<unsigned>(points) + size - 1) / size;
}

template <typename Kernel>
Side Make(Kernel kernel, dim3 block) {
  std::vector<short> values(1000003);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const unsigned hash = static_cast<unsigned>(i) * 2654435761U >> 22U;
    values[i] = static_cast<short>(static_cast<int>(hash) - 500);
  }
  const auto packed = MakeArray<short>(kPoints * kGrid.members);
  packed->FillRepeating(values);
  const auto mean = MakeArray<float>(kPoints);
  const auto deviation = MakeArray<float>(kPoints);
  const dim3 grid(Blocks(kGrid.longitudes, block.x), Blocks(kGrid.latitudes, block.y),
                  Blocks(kGrid.levels, block.z));
  return {[=] { kernel<<<grid, block>>>(packed->data(), mean->data(), deviation->data(), kGrid); },
          [=] {
            std::vector<double> result = Values(*mean);
            const std::vector<double> more = Values(*deviation);
            result.insert(result.end(), more.begin(), more.end());
            return result;
          }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"ensemble_spread", [] { return Make(ensemble_spread_bad, dim3(4, 8, 8)); },
               [] { return Make(ensemble_spread_good, dim3(64, 2, 2)); }});
}
