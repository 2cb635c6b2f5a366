// SPDX-License-Identifier: Apache-2.0
//
// A warp a row, axes exchanged, blocks of another shape, a shared tile, rows padded, arrays
// aligned.
#include "bench/waits/timing.h"
template <bool WARP>
__global__ void row_sum(const float* __restrict__ a, float* out, int rows, int len) {
  if (WARP) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float x = 0;
    for (int k = lane; k < len; k += 32) x += a[(size_t)row * len + k];
    for (int d = 16; d; d /= 2) x += __shfl_down_sync(0xffffffffU, x, d);
    if (lane == 0) out[row] = x;
  } else {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float x = 0;
    for (int k = 0; k < len; ++k) x += a[(size_t)row * len + k];
    out[row] = x;
  }
}
// Rounds that do not depend on each other, stored where they were loaded.
template <bool WARP>
__global__ void row_scale(const float* __restrict__ a, float* __restrict__ out, int rows, int len) {
  if (WARP) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    for (int k = lane; k < len; k += 32)
      out[(size_t)row * len + k] = a[(size_t)row * len + k] * 0.5F;
  } else {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int k = 0; k < len; ++k) out[(size_t)row * len + k] = a[(size_t)row * len + k] * 0.5F;
  }
}
template <bool X, int RADIUS>  // X: threadIdx.x along the row
__global__ void stencil(const float* __restrict__ a, float* __restrict__ out, int w, int h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = X ? i : j, y = X ? j : i;
  if (x >= w || y >= h) return;
  float s = 0;
#pragma unroll
  for (int d = -RADIUS; d <= RADIUS; ++d) {
    const int c = min(max(x + d, 0), w - 1);
    s += a[(size_t)y * w + c];
  }
  out[(size_t)y * w + x] = s;
}
template <bool X, int RADIUS>  // loads alone
__global__ void gathered(const float* __restrict__ a, float* __restrict__ out, int w, int h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = X ? i : j, y = X ? j : i;
  if (x >= w || y >= h) return;
  float s = 0;
#pragma unroll
  for (int d = -RADIUS; d <= RADIUS; ++d) {
    const int c = min(max(x + d, 0), w - 1);
    s += a[(size_t)y * w + c];
  }
  out[(size_t)j * (X ? w : h) + i] = s;
}
template <int FORM>  // 0: stores along the column, 1: loads along the column, 2: a tile
__global__ void transpose(const float* __restrict__ a, float* __restrict__ out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (FORM == 2) {
    __shared__ float tile[32][33];
    for (int d = 0; d < 32; d += 8) tile[threadIdx.y + d][threadIdx.x] = a[(size_t)(y + d) * n + x];
    __syncthreads();
    const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
    for (int d = 0; d < 32; d += 8)
      out[(size_t)(v + d) * n + u] = tile[threadIdx.x][threadIdx.y + d];
  } else {
    for (int d = 0; d < 32; d += 8) {
      if (FORM == 0)
        out[(size_t)x * n + y + d] = a[(size_t)(y + d) * n + x];
      else
        out[(size_t)(y + d) * n + x] = a[(size_t)x * n + y + d];
    }
  }
}
__global__ void copy2d(const float* __restrict__ a, float* __restrict__ out, int pitch, int w,
                       int h, int shift) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[(size_t)y * pitch + x + shift] = a[(size_t)y * pitch + x + shift] * 0.5F;
}
static void Rows() {
  char p[256];
  for (int rows : {128, 1024, 4224, 33792, 270336})
    for (int len : {32, 100, 128, 512, 4096}) {
      const size_t bytes = (size_t)rows * len * 4;
      if (bytes > (size_t{600} << 20)) continue;
      float* a = Pool(bytes, 0);
      float* out = Pool(bytes, 1);
      const int block = rows <= 4224 ? 32 : 256;
      std::snprintf(p, sizeof p, "\"warps\":%d,\"len\":%d,\"block\":%d", rows / 32, len, block);
      if (Wanted("row_sum"))
        Line("row_sum", p, WarpsPerSm(row_sum<false>, block), Median([&] {
               row_sum<false><<<(rows + block - 1) / block, block>>>(a, out, rows, len);
             }),
             Median([&] { row_sum<true><<<rows / 8, 256>>>(a, out, rows, len); }));
      if (Wanted("row_scale"))
        Line("row_scale", p, WarpsPerSm(row_scale<false>, block), Median([&] {
               row_scale<false><<<(rows + block - 1) / block, block>>>(a, out, rows, len);
             }),
             Median([&] { row_scale<true><<<rows / 8, 256>>>(a, out, rows, len); }));
    }
}
static void Plane(int n) {
  char p[256];
  float* a = Pool((size_t)n * n * 4, 0);
  float* out = Pool((size_t)n * n * 4, 1);
  for (dim3 b : {dim3(32, 8), dim3(16, 16), dim3(32, 1), dim3(8, 8)}) {
    const dim3 g(n / b.x, n / b.y);
    const int block = b.x * b.y;
    std::snprintf(p, sizeof p, "\"n\":%d,\"bx\":%d,\"by\":%d,\"warps\":%d", n, b.x, b.y,
                  n * n / 32);
    if (Wanted("exchange1"))
      Line("exchange1", p, WarpsPerSm(stencil<false, 0>, block),
           Median([&] { stencil<false, 0><<<g, b>>>(a, out, n, n); }),
           Median([&] { stencil<true, 0><<<g, b>>>(a, out, n, n); }));
    if (Wanted("exchange5"))
      Line("exchange5", p, WarpsPerSm(stencil<false, 2>, block),
           Median([&] { stencil<false, 2><<<g, b>>>(a, out, n, n); }),
           Median([&] { stencil<true, 2><<<g, b>>>(a, out, n, n); }));
    if (Wanted("loads5"))
      Line("loads5", p, WarpsPerSm(gathered<false, 2>, block),
           Median([&] { gathered<false, 2><<<g, b>>>(a, out, n, n); }),
           Median([&] { gathered<true, 2><<<g, b>>>(a, out, n, n); }));
  }
  for (dim3 b : {dim3(1, 256), dim3(2, 128), dim3(4, 64), dim3(8, 32), dim3(16, 16)}) {
    const dim3 g(n / b.x, (n + b.y - 1) / b.y);
    std::snprintf(p, sizeof p, "\"n\":%d,\"bx\":%d,\"by\":%d,\"warps\":%d", n, b.x, b.y,
                  n * n / 32);
    if (Wanted("block_shape"))
      Line("block_shape", p, WarpsPerSm(copy2d, 256),
           Median([&] { copy2d<<<g, b>>>(a, out, n, n, n, 0); }),
           Median([&] { copy2d<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, out, n, n, n, 0); }));
  }
  std::snprintf(p, sizeof p, "\"n\":%d,\"warps\":%d", n, n * n / 128);
  if (Wanted("tile_store"))
    Line("tile_store", p, WarpsPerSm(transpose<0>, 256),
         Median([&] { transpose<0><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, out, n); }),
         Median([&] { transpose<2><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, out, n); }));
  if (Wanted("tile_load"))
    Line("tile_load", p, WarpsPerSm(transpose<1>, 256),
         Median([&] { transpose<1><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, out, n); }),
         Median([&] { transpose<2><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, out, n); }));
  float* big = Pool((size_t)n * (n + 64) * 4, 0);
  float* big_out = Pool((size_t)n * (n + 64) * 4, 1);
  if (Wanted("pad_rows"))
    Line("pad_rows", p, WarpsPerSm(copy2d, 256), Median([&] {
           copy2d<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(big, big_out, n + 1, n, n, 0);
         }),
         Median(
             [&] { copy2d<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(big, big_out, n + 8, n, n, 0); }));
  if (Wanted("align"))
    Line("align", p, WarpsPerSm(copy2d, 256), Median([&] {
           copy2d<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(big, big_out, n + 8, n, n, 1);
         }),
         Median(
             [&] { copy2d<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(big, big_out, n + 8, n, n, 0); }));
}
int main(int argc, char** argv) {
  Options(argc, argv);
  Rows();
  for (int n : {128, 256, 512, 1024, 2048, 4096, 8192}) Plane(n);
}
