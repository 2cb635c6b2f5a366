// SPDX-License-Identifier: Apache-2.0
//
// Scores of keys against a query, as attention has them: a thread to a key, or a warp.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kKeys = 16384;
constexpr int kHeads = 8;
constexpr int kDim = 128;
constexpr int kBlock = 128;

__global__ void key_scores_bad(const float* query, const float* keys, float* scores, int count,
                               int dim) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x;
  const int head = blockIdx.y;
  if (key >= count) return;
  const float* own = keys + (static_cast<std::size_t>(head) * count + key) * dim;
  float dot = 0;
  for (int d = 0; d < dim; ++d) dot += query[head * dim + d] * own[d];
  scores[head * count + key] = dot;
}

__global__ void key_scores_good(const float* query, const float* keys, float* scores, int count,
                                int dim) {
  const int key = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  const int head = blockIdx.y;
  if (key >= count) return;
  const float* own = keys + (static_cast<std::size_t>(head) * count + key) * dim;
  float dot = 0;
  for (int d = lane; d < dim; d += 32) dot += query[head * dim + d] * own[d];
  for (int offset = 16; offset > 0; offset /= 2) dot += __shfl_down_sync(~0U, dot, offset);
  if (lane == 0) scores[head * count + key] = dot;
}

template <typename Kernel>
Side Make(Kernel kernel, int threads_of_key) {
  const auto query = MakeArray<float>(kHeads * kDim);
  query->FillWithSmallPattern();
  const auto keys = MakeArray<float>(std::size_t{kHeads} * kKeys * kDim);
  keys->FillWithSmallPattern();
  const auto scores = MakeArray<float>(kHeads * kKeys);
  const dim3 grid(kKeys * threads_of_key / kBlock, kHeads);
  return {
      [=] { kernel<<<grid, kBlock>>>(query->data(), keys->data(), scores->data(), kKeys, kDim); },
      [=] { return Values(*scores); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"key_scores", [] { return Make(key_scores_bad, 1); },
               [] { return Make(key_scores_good, 32); }});
}
