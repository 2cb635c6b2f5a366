// SPDX-License-Identifier: Apache-2.0
//
// Launches every kernel once: a recording of it counts the accesses of each kind of code.
#include <vector>

#include "kinds.h"

int main() {
  Arrays arrays{};
  for (float** one : {&arrays.a, &arrays.b, &arrays.out}) {
    CHECK(cudaMalloc(one, kElements * sizeof(float)));
    CHECK(cudaMemset(*one, 0, kElements * sizeof(float)));
  }
  for (int** one : {&arrays.random, &arrays.rows, &arrays.zero}) {
    CHECK(cudaMalloc(one, kElements * sizeof(int)));
    CHECK(cudaMemset(*one, 0, kElements * sizeof(int)));
  }
  std::vector<int> random(kElements);
  unsigned state = 1;
  for (int& one : random) {
    state = state * 1664525U + 1013904223U;
    one = static_cast<int>((state >> 8U) % 65536);
  }
  CHECK(cudaMemcpy(arrays.random, random.data(), kElements * sizeof(int), cudaMemcpyHostToDevice));
  std::vector<int> rows(20000);
  for (std::size_t i = 1; i < rows.size(); ++i) rows[i] = rows[i - 1] + random[i] % 61;
  CHECK(cudaMemcpy(arrays.rows, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice));

  LaunchGrids(arrays);
  LaunchImages(arrays);
  LaunchMatrices(arrays);
  LaunchNetworks(arrays);
  LaunchNumbers(arrays);
  LaunchRandom(arrays);
  LaunchSearches(arrays);
  LaunchTransforms(arrays);
  LaunchWarps(arrays);
  std::puts("done");
}
