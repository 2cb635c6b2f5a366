// SPDX-License-Identifier: Apache-2.0
//
// A layer of a language model for one token: weights of 8 bits in rows, with a scale to each 128 of
// them. In a block of 32 x 8 threads, x is the row and y takes every eighth weight, so that lanes
// read rows apart; the repair has a warp to a row, four weights to a lane.
#include <cuda_fp16.h>

#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kOut = 8192;
constexpr int kIn = 4096;
constexpr int kGroup = 128;
constexpr int kX = 32;
constexpr int kY = 8;

struct Layer {
  const signed char* __restrict__ weights;
  const __half* __restrict__ scales;
};

__global__ void int8_layer_bad(const Layer layer, const __half* __restrict__ token,
                               __half* __restrict__ out) {
  __shared__ float parts[kY][kX + 1];
  const int row = static_cast<int>(blockIdx.x) * kX + static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int k = static_cast<int>(threadIdx.y); k < kIn; k += kY) {
    const float scale = __half2float(layer.scales[row * (kIn / kGroup) + k / kGroup]);
    sum += scale * static_cast<float>(layer.weights[row * kIn + k]) * __half2float(token[k]);
  }
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0) return;
  sum = 0;
  for (int y = 0; y < kY; ++y) sum += parts[y][threadIdx.x];
  out[row] = __float2half(sum);
}

__global__ void int8_layer_good(const Layer layer, const __half* __restrict__ token,
                                __half* __restrict__ out) {
  const int row = static_cast<int>(blockIdx.x) * kY + static_cast<int>(threadIdx.y);
  float sum = 0;
  for (int k = static_cast<int>(threadIdx.x) * 4; k < kIn; k += kX * 4) {
    const float scale = __half2float(layer.scales[row * (kIn / kGroup) + k / kGroup]);
    const char4 w = *reinterpret_cast<const char4*>(layer.weights + row * kIn + k);
    const __half2* const t = reinterpret_cast<const __half2*>(token + k);
    const float2 low = __half22float2(t[0]);
    const float2 high = __half22float2(t[1]);
    sum += scale * (static_cast<float>(w.x) * low.x + static_cast<float>(w.y) * low.y +
                    static_cast<float>(w.z) * high.x + static_cast<float>(w.w) * high.y);
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (threadIdx.x == 0) out[row] = __float2half(sum);
}

template <typename Kernel>
Side Make(Kernel kernel, int rows_of_block) {
  std::vector<signed char> all_weights(1000003);
  for (std::size_t i = 0; i < all_weights.size(); ++i) {
    all_weights[i] = static_cast<signed char>(
        static_cast<int>(static_cast<unsigned>(i) * 2654435761U >> 28U) - 8);
  }
  std::vector<__half> all_scales(std::size_t{kOut} * (kIn / kGroup));
  for (std::size_t i = 0; i < all_scales.size(); ++i) {
    all_scales[i] = __float2half(static_cast<float>(1U << i % 3) / 8);  // sums are exact
  }
  std::vector<__half> all_token(kIn);
  for (int i = 0; i < kIn; ++i) all_token[i] = __float2half(static_cast<float>(i * 7 % 5 - 2));
  const auto weights = MakeArray<signed char>(std::size_t{kOut} * kIn);
  weights->FillRepeating(all_weights);
  const auto scales = std::make_shared<DeviceArray<__half>>(all_scales);
  const auto token = std::make_shared<DeviceArray<__half>>(all_token);
  const auto out = MakeArray<__half>(kOut);
  return {[=] {
            kernel<<<kOut / rows_of_block, dim3(kX, kY)>>>(Layer{weights->data(), scales->data()},
                                                           token->data(), out->data());
          },
          [=] {
            std::vector<double> values;
            for (const __half one : out->Slice(0, kOut)) values.push_back(__half2float(one));
            return values;
          }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"int8_layer", [] { return Make(int8_layer_bad, kX); },
               [] { return Make(int8_layer_good, kY); }});
}
