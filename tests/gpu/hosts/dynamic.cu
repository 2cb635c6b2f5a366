// SPDX-License-Identifier: Apache-2.0
//
// Dynamic parallelism: kernels that launch kernels.
#include "host.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

__global__ void child(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.0F;
}

__global__ void parent(float* out, int blocks) {
  child<<<blocks, 256>>>(out, out);
  child<<<blocks, 256, 0, cudaStreamTailLaunch>>>(out, out);
}

// Five parents, two children each.
void Nested(const Arguments&) {
  Arrays a;
  for (int i = 0; i < 5; ++i) {
    parent<<<1, 1, 0, a.stream>>>(a.out, static_cast<int>(hosts::kGrid.x));
    Check(cudaGetLastError(), "launch");
  }
  Checksum sum;
  a.AddTo(sum);
  hosts::Print("nested", sum);
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv, {{"nested", Nested}});
}
