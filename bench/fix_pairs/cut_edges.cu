// SPDX-License-Identifier: Apache-2.0
//
// Graph partitioning: how many edges, and how much weight, a partition cuts. A thread to an edge
// looks up the parts of both ends; edges are in the order in which they were read, so that ends of
// neighbouring edges are anywhere. The repair has the list sorted by its first end.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr unsigned kVertices = 1U << 23;
constexpr unsigned kEdges = 2 * kVertices;
constexpr unsigned kBlock = 256;

struct Cut {
  unsigned edges;
  unsigned weight;
};

struct Graph {
  const int2* ends;
  const unsigned char* weights;
  unsigned edges;
};

__device__ __forceinline__ bool Crosses(int2 ends, const int* __restrict__ part) {
  return part[ends.x] != part[ends.y];
}

__device__ void AddOfBlock(unsigned crossing, unsigned weight, Cut* cut) {
  __shared__ unsigned weights[kBlock / 32];
  const unsigned of_warp = __reduce_add_sync(~0U, weight);
  if (threadIdx.x % 32 == 0) weights[threadIdx.x / 32] = of_warp;
  const int edges = __syncthreads_count(static_cast<int>(crossing));
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned one : weights) sum += one;
  atomicAdd(&cut->edges, static_cast<unsigned>(edges));
  atomicAdd(&cut->weight, sum);
}

__global__ void cut_edges_bad(Graph graph, const int* __restrict__ part, Cut* cut) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned crossing = e < graph.edges && Crosses(graph.ends[e], part) ? 1 : 0;
  AddOfBlock(crossing, crossing != 0 ? graph.weights[e] : 0, cut);
}

__global__ void cut_edges_good(Graph graph, const int* __restrict__ part, Cut* cut) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned crossing = e < graph.edges && Crosses(graph.ends[e], part) ? 1 : 0;
  AddOfBlock(crossing, crossing != 0 ? graph.weights[e] : 0, cut);
}

// Every number below kEdges once, in no order.
unsigned Shuffled(unsigned i) {
  for (unsigned round = 0; round < 3; ++round) {
    i = (i * 2654435761U + 12345U) % kEdges;
    i ^= i >> 11U;
  }
  return i;
}

template <typename Kernel>
Side Make(Kernel kernel, bool sorted) {
  std::vector<int2> all_ends(kEdges);
  std::vector<unsigned char> all_weights(kEdges);
  for (unsigned i = 0; i < kEdges; ++i) {
    const unsigned e = sorted ? i : Shuffled(i);
    const unsigned from = e / 2;
    const unsigned to = (from + 1 + (e * 2654435761U >> 28U)) % kVertices;
    all_ends[i] = {static_cast<int>(from), static_cast<int>(to)};
    all_weights[i] = static_cast<unsigned char>(1 + e % 13);
  }
  std::vector<int> parts(kVertices);
  for (unsigned v = 0; v < kVertices; ++v) {
    parts[v] = static_cast<int>((v / 24 * 2654435761U) >> 26U);
  }
  const auto ends = std::make_shared<DeviceArray<int2>>(all_ends);
  const auto weights = std::make_shared<DeviceArray<unsigned char>>(all_weights);
  const auto part = std::make_shared<DeviceArray<int>>(parts);
  const auto cut = MakeArray<Cut>(1);
  return {[=] {
            const Graph graph{ends->data(), weights->data(), kEdges};
            kernel<<<kEdges / kBlock, kBlock>>>(graph, part->data(), cut->data());
          },
          [=] {
            const Cut found = cut->Slice(0, 1)[0];
            return std::vector<double>{static_cast<double>(found.edges),
                                       static_cast<double>(found.weight)};
          }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"cut_edges", [] { return Make(cut_edges_bad, false); },
               [] { return Make(cut_edges_good, true); }});
}
