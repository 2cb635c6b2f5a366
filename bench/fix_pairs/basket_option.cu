// SPDX-License-Identifier: Apache-2.0
//
// Monte Carlo of an option on the mean of a basket of four rates (Bachelier's model): a thread to a
// path takes four random numbers a step, which lie side by side, one after the other. The repair
// takes them as one float4.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kPaths = 1U << 20;
constexpr unsigned kSteps = 8;
constexpr unsigned kAssets = 4;
constexpr unsigned kBlock = 256;

struct Market {
  float spot[kAssets];
  float drift[kAssets];
  float cholesky[kAssets][kAssets];  // below its diagonal
  float strike;
};

// One step of all assets.
__device__ __forceinline__ void Move(const Market& market, const float (&normal)[kAssets],
                                     float (&price)[kAssets]) {
#pragma unroll
  for (unsigned a = 0; a < kAssets; ++a) {
    price[a] += market.drift[a];
#pragma unroll
    for (unsigned b = 0; b <= a; ++b) price[a] += market.cholesky[a][b] * normal[b];
  }
}

__device__ __forceinline__ float Sum(const float (&price)[kAssets]) {
  return (price[0] + price[1]) + (price[2] + price[3]);
}

__global__ void basket_option_bad(const __grid_constant__ Market market,
                                  const float* __restrict__ normals, float* __restrict__ payoff) {
  const unsigned path = blockIdx.x * blockDim.x + threadIdx.x;
  float price[kAssets];
  for (unsigned a = 0; a < kAssets; ++a) price[a] = market.spot[a];
  float mean = 0;
  for (unsigned step = 0; step < kSteps; ++step) {
    float normal[kAssets];
    for (unsigned a = 0; a < kAssets; ++a) {
      normal[a] = normals[(step * kPaths + path) * kAssets + a];
    }
    Move(market, normal, price);
    mean += Sum(price);
  }
  payoff[path] = fmaxf(mean - market.strike, 0);
}

// Four numbers come at once.
__global__ void basket_option_good(const __grid_constant__ Market market,
                                   const float4* __restrict__ normals, float* __restrict__ payoff) {
  const unsigned path = blockIdx.x * blockDim.x + threadIdx.x;
  float price[kAssets];
  for (unsigned a = 0; a < kAssets; ++a) price[a] = market.spot[a];
  float mean = 0;
  for (unsigned step = 0; step < kSteps; ++step) {
    const float4 four = normals[step * kPaths + path];
    const float normal[kAssets] = {four.x, four.y, four.z, four.w};
    Move(market, normal, price);
    mean += Sum(price);
  }
  payoff[path] = fmaxf(mean - market.strike, 0);
}

template <typename Number, typename Kernel>
Side Make(Kernel kernel) {
  Market market{};
  for (unsigned a = 0; a < kAssets; ++a) {
    market.spot[a] = static_cast<float>(20 + a);
    market.drift[a] = static_cast<float>(a) - 3;
    for (unsigned b = 0; b <= a; ++b) {
      market.cholesky[a][b] = a == b ? 2.0F : static_cast<float>(a + b) / 4;
    }
  }
  market.strike = 700;
  std::vector<float> numbers(1000003);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>((static_cast<unsigned>(i) * 2654435761U) >> 28U) - 7;
  }
  const auto normals = MakeArray<float>(std::size_t{kPaths} * kSteps * kAssets);
  normals->FillRepeating(numbers);
  const auto payoff = MakeArray<float>(kPaths);
  return {[=] {
            kernel<<<kPaths / kBlock, kBlock>>>(
                market, reinterpret_cast<const Number*>(normals->data()), payoff->data());
          },
          [=] { return Values(*payoff); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"basket_option", [] { return Make<float>(basket_option_bad); },
               [] { return Make<float4>(basket_option_good); }});
}
