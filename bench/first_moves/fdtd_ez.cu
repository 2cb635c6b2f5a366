// SPDX-License-Identifier: Apache-2.0
//
// 2-D TM FDTD: Ez update with lossy media and a per-cell material table.  Every field has a
// ghost cell at the left and a ghost row at the top; the rows are padded to `pitch`.
extern "C" __global__ void fdtd_update_ez(float* __restrict__ ez, const float* __restrict__ hx,
                                          const float* __restrict__ hy,
                                          const float* __restrict__ ca,
                                          const float* __restrict__ cb, int nx, int ny, int pitch,
                                          int src_x, int src_y, float src) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny) return;
  size_t k = (size_t)(j + 1) * pitch + (i + 1);
  float curl = (hy[k] - hy[k - 1]) - (hx[k] - hx[k - pitch]);
  float e = ca[k] * ez[k] + cb[k] * curl;
  if (i == src_x && j == src_y) e += src;
  ez[k] = e;
}
