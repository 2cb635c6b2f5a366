// SPDX-License-Identifier: Apache-2.0
//
// Launches with attributes: cooperative grids, clusters, and launches that overlap the one before.
#include <cooperative_groups.h>

#include "host.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

constexpr int kLaunches = 10;

__global__ void add_together(const float* in, float* out) {
  cooperative_groups::this_grid().sync();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.0F;
}

// The clusters' blocks exchange their first elements through distributed shared memory.
__global__ void add_in_cluster(const float* in, float* out) {
#if __CUDA_ARCH__ >= 900
  __shared__ float first;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) first = in[i];
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  cluster.sync();
  const float other = *cluster.map_shared_rank(&first, cluster.block_rank() ^ 1U);
  cluster.sync();
  out[i] = in[i] + other;
#endif
}

__global__ void add_after_the_one_before(const float* in, float* out) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.0F;
}

template <typename Kernel>
void LaunchWith(cudaLaunchAttribute attribute, Kernel* kernel, const char* name, bool in_place) {
  Arrays a;
  cudaLaunchConfig_t config{};
  config.gridDim = hosts::kGrid;
  config.blockDim = hosts::kBlock;
  config.stream = a.stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  for (int i = 0; i < kLaunches; ++i) {
    const float* in = in_place ? a.out : a.in;
    Check(cudaLaunchKernelEx(&config, kernel, in, a.out), name);
  }
  Checksum sum;
  a.AddTo(sum);
  hosts::Print(name, sum);
}

void NeedComputeNine() {
  int major = 0;
  Check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "attribute");
  if (major < 9) hosts::Skip("needs compute capability 9.0");
}

void Cooperative(const Arguments&) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  LaunchWith(attribute, add_together, "cooperative", true);
}

void Clusters(const Arguments&) {
  NeedComputeNine();
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  LaunchWith(attribute, add_in_cluster, "clusters", false);
}

void ProgrammaticDependent(const Arguments&) {
  NeedComputeNine();
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  LaunchWith(attribute, add_after_the_one_before, "programmatic_dependent", true);
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv,
                        {{"cooperative", Cooperative},
                         {"clusters", Clusters},
                         {"programmatic_dependent", ProgrammaticDependent}});
}
