// SPDX-License-Identifier: Apache-2.0
//
// Network analysis: random walks over a large graph (compressed rows), as they are drawn for
// node embeddings. Each step decides from random bits where the next one reads.
#include "harness.h"

__device__ __forceinline__ uint32_t next_random(uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__global__ void random_walks_naive(const int* __restrict__ first, const int* __restrict__ target,
                                   int* __restrict__ walks, int walkers, int nodes, int steps,
                                   uint32_t seed) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= walkers) return;
  uint32_t state = (seed + w) * 2654435761u | 1u;
  int node = next_random(state) % nodes;
  for (int s = 0; s < steps; ++s) {
    walks[(size_t)s * walkers + w] = node;
    const int begin = first[node];
    const int degree = first[node + 1] - begin;
    if (degree > 0) node = target[begin + next_random(state) % degree];
  }
}

// No other numbering or layout helps: a graph without places has no neighbours to put side by
// side. This one only keeps the reads, which never come again, out of L1.
__global__ void random_walks_repaired(const int* __restrict__ first, const int* __restrict__ target,
                                      int* __restrict__ walks, int walkers, int nodes, int steps,
                                      uint32_t seed) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= walkers) return;
  uint32_t state = (seed + w) * 2654435761u | 1u;
  int node = next_random(state) % nodes;
  for (int s = 0; s < steps; ++s) {
    walks[(size_t)s * walkers + w] = node;
    const int begin = first[node];
    const int degree = first[node + 1] - begin;
    if (degree > 0) node = __ldcg(&target[begin + next_random(state) % degree]);
  }
}

int main(int argc, char** argv) {
  const int nodes = 2000000, walkers = 400000, steps = 20;
  Random rnd{7};
  std::vector<int> first(nodes + 1, 0);
  for (int v = 0; v < nodes; ++v) first[v + 1] = first[v] + (int)(rnd() >> 16) % 21;
  const auto target =
      Upload(Generate(first[nodes], [&](int) { return (int)((rnd() >> 4) % nodes); }));
  const auto rows = Upload(first);
  const size_t n = (size_t)walkers * steps;
  const auto a = Allocate<int>(n), b = Allocate<int>(n);

  const int threads = 256, blocks = (walkers + threads - 1) / threads;
  const auto naive = [&] {
    random_walks_naive<<<blocks, threads>>>(rows, target, a, walkers, nodes, steps, 1234u);
  };
  const auto repaired = [&] {
    random_walks_repaired<<<blocks, threads>>>(rows, target, b, walkers, nodes, steps, 1234u);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(a, b); });
}
