// SPDX-License-Identifier: Apache-2.0
//
// One PageRank sweep over an edge list in order of arrival (not sorted by either end).
extern "C" __global__ void edge_push(const int2* __restrict__ edges, long long n_edges,
                                     const float* __restrict__ rank,
                                     const float* __restrict__ inv_deg, float* next, int n_nodes,
                                     float damping) {
  long long stride = (long long)gridDim.x * blockDim.x;
  for (long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x; e < n_edges; e += stride) {
    int2 ed = edges[e];
    if ((unsigned)ed.x >= (unsigned)n_nodes || (unsigned)ed.y >= (unsigned)n_nodes) continue;
    if (ed.x == ed.y) continue;
    float c = damping * rank[ed.x] * inv_deg[ed.x];
    atomicAdd(&next[ed.y], c);
  }
}
