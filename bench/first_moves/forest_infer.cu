// SPDX-License-Identifier: Apache-2.0
//
// Gradient boosted trees, perfect trees of fixed depth; one thread scores one row of the
// (row-major) feature matrix with all trees.
struct Node {
  int feat;
  float thr;
};

extern "C" __global__ void forest_infer(const float* __restrict__ X, int n_rows, int n_feat,
                                        const Node* __restrict__ nodes,  // n_trees * (2^depth - 1)
                                        const float* __restrict__ leaves,  // n_trees * 2^depth
                                        int n_trees, int depth, float base,
                                        float* __restrict__ prob) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n_rows) return;
  const float* x = X + (size_t)row * n_feat;
  const int inner = (1 << depth) - 1;
  float acc = base;
  for (int t = 0; t < n_trees; ++t) {
    const Node* tree = nodes + (size_t)t * inner;
    int k = 0;
    for (int d = 0; d < depth; ++d) {
      Node nd = tree[k];
      float v = x[nd.feat];
      k = 2 * k + 1 + (v >= nd.thr || v != v);
    }
    acc += leaves[((size_t)t << depth) + (k - inner)];
  }
  prob[row] = 1.f / (1.f + __expf(-acc));
}
