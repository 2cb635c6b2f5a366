// SPDX-License-Identifier: Apache-2.0
//
// Kernels to choose from by name: two in a namespace, one of them with a helper inlined, and one
// outside of it.
#include "host.h"

namespace app {
namespace detail {

__device__ __forceinline__ float gather(const float* in, unsigned i) { return in[(i * 8) % 4096]; }

}  // namespace detail

template <typename T>
__global__ void scale(const T* in, T* out, T factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = factor * in[i];
}

__global__ void collect(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += detail::gather(in, i);
}

}  // namespace app

namespace other {

__global__ void copy(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

}  // namespace other

namespace {

// Three launches of `scale`, four of `collect`, five of `copy`.
void Kernels(const hosts::Arguments&) {
  hosts::Arrays a;
  for (int i = 0; i < 3; ++i) {
    app::scale<float><<<hosts::kGrid, hosts::kBlock, 0, a.stream>>>(a.in, a.out, 2.0F);
  }
  for (int i = 0; i < 4; ++i) {
    app::collect<<<hosts::kGrid, hosts::kBlock, 0, a.stream>>>(a.in, a.out);
  }
  hosts::Check(cudaStreamSynchronize(a.stream), "cudaStreamSynchronize");
  hosts::Checksum sum;
  a.AddTo(sum);
  for (int i = 0; i < 5; ++i) {
    other::copy<<<hosts::kGrid, hosts::kBlock, 0, a.stream>>>(a.in, a.out);
  }
  a.AddTo(sum);
  hosts::Print("kernels", sum);
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv, {{"kernels", Kernels}});
}
