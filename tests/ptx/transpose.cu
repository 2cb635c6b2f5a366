// SPDX-License-Identifier: Apache-2.0
//
// The kernel of nvrtc.ptx.
extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) {
    out[col * height + row] = in[row * width + col];
  }
}
