// SPDX-License-Identifier: Apache-2.0
//
// Young / van Vliet recursive Gaussian along image rows.
// One thread filters one row: forward (causal) pass into dst, then backward pass in place.
extern "C" __global__ void gauss_rec_rows(const float* __restrict__ src, float* dst, int width,
                                          int height, int pitch, float B, float b1, float b2,
                                          float b3) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  const float* s = src + (size_t)y * pitch;
  float* d = dst + (size_t)y * pitch;

  float w1 = s[0], w2 = w1, w3 = w1;
  for (int x = 0; x < width; ++x) {
    float w = B * s[x] + b1 * w1 + b2 * w2 + b3 * w3;
    d[x] = w;
    w3 = w2;
    w2 = w1;
    w1 = w;
  }
  w2 = w1;
  w3 = w1;
  for (int x = width - 1; x >= 0; --x) {
    float w = B * d[x] + b1 * w1 + b2 * w2 + b3 * w3;
    d[x] = w;
    w3 = w2;
    w2 = w1;
    w1 = w;
  }
}
