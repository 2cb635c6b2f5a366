// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic-average Asian call with a down-and-out barrier; the normals were drawn beforehand
// by the library into one buffer, `steps` of them for each path.
extern "C" __global__ void asian_barrier(const float* __restrict__ normals,
                                         float* __restrict__ block_sum,
                                         float* __restrict__ block_sq, int n_paths, int steps,
                                         float s0, float strike, float barrier, float drift,
                                         float vol) {
  __shared__ float ss[256], sq[256];
  int path = blockIdx.x * blockDim.x + threadIdx.x;
  float pay = 0.f;
  if (path < n_paths) {
    const float* z = normals + (size_t)path * steps;
    float s = s0, avg = 0.f;
    bool alive = true;
    for (int t = 0; t < steps; ++t) {
      s *= __expf(drift + vol * z[t]);
      avg += s;
      if (s < barrier) {
        alive = false;
        break;
      }
    }
    if (alive) pay = fmaxf(avg / steps - strike, 0.f);
  }
  ss[threadIdx.x] = pay;
  sq[threadIdx.x] = pay * pay;
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    __syncthreads();
    if (threadIdx.x < k) {
      ss[threadIdx.x] += ss[threadIdx.x + k];
      sq[threadIdx.x] += sq[threadIdx.x + k];
    }
  }
  if (threadIdx.x == 0) {
    block_sum[blockIdx.x] = ss[0];
    block_sq[blockIdx.x] = sq[0];
  }
}
