// SPDX-License-Identifier: Apache-2.0
//
// Stencils and fields on grids: halos, wrapping edges, colours, layers.
#include "kinds.h"

namespace {

constexpr int kTile = 16;

__global__ void halo_tile(const float* in, float* out, int w, int h) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const auto at = [&](int i, int j) {
    return in[min(max(j, 0), h - 1) * w + min(max(i, 0), w - 1)];
  };
  tile[ty][tx] = at(x, y);
  if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y);
  if (threadIdx.x == kTile - 1) tile[ty][kTile + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1);
  if (threadIdx.y == kTile - 1) tile[kTile + 1][tx] = at(x, y + 1);
  __syncthreads();
  if (x < w && y < h) {
    out[y * w + x] = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
  }
}

__global__ void marching_7_point(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  const int layer = nx * ny;
  int at = y * nx + x;
  float below = in[at];
  float here = in[at + layer];
  for (int z = 1; z < nz - 1; ++z) {
    at += layer;
    const float above = in[at + layer];
    out[at] = below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] - 6 * here;
    below = here;
    here = above;
  }
}

__global__ void box_27_point(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y + 1;
  const int z = blockIdx.z + 1;
  if (x >= n - 1) return;
  float sum = 0;
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) sum += in[((z + dz) * n + y + dy) * n + x + dx];
    }
  }
  out[(z * n + y) * n + x] = sum;
}

__global__ void red_black(float* a, int w, int h, int colour) {
  const int y = blockIdx.y + 1;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + (y + colour) % 2;
  if (x >= w - 1 || y >= h - 1) return;
  a[y * w + x] =
      0.25F * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}

__global__ void periodic(const float* in, float* out, int w, int h, int shift) {
  const int i = Thread();
  if (i >= w * h) return;
  const int x = i % w;
  const int y = i / w;
  const int left = (x - shift % w + w) % w;
  const int right = x + shift >= w ? x + shift - w : x + shift;
  const int up = y == 0 ? h - 1 : y - 1;
  out[i] = in[y * w + left] + in[y * w + right] + in[up * w + x] + in[(y + 1) % h * w + x];
}

__global__ void reflected(const float* in, float* out, int n, int radius) {
  const int i = Thread();
  if (i >= n) return;
  float sum = 0;
  for (int d = -radius; d <= radius; ++d) {
    int at = i + d;
    if (at < 0) at = -at - 1;
    if (at >= n) at = 2 * n - at - 1;
    sum += in[at];
  }
  out[i] = sum;
}

constexpr int kDirections = 9;
__constant__ int c_dx[kDirections] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int c_dy[kDirections] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

__global__ void lattice_boltzmann(const float* from, float* to, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= w) return;
  float f[kDirections];
  float density = 0;
  for (int k = 0; k < kDirections; ++k) {
    f[k] = from[(k * h + y) * w + x];
    density += f[k];
  }
  for (int k = 0; k < kDirections; ++k) {
    const int to_x = (x + c_dx[k] + w) % w;
    const int to_y = (y + c_dy[k] + h) % h;
    to[(k * h + to_y) * w + to_x] = f[k] + 0.6F * (density / kDirections - f[k]);
  }
}

__global__ void lattice_of_structures(const float* from, float* to, int w, int h) {
  const int i = Thread();
  if (i >= w * h) return;
  for (int k = 0; k < kDirections; ++k) {
    const int x = (i % w + k % 3 - 1 + w) % w;
    const int y = (i / w + k / 3 - 1 + h) % h;
    to[(y * w + x) * kDirections + k] = from[i * kDirections + k];
  }
}

__global__ void staggered(float* ex, const float* hz, int nx, int ny) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y;
  if (i < nx && j > 0 && j < ny) ex[j * (nx + 1) + i] += hz[j * nx + i] - hz[(j - 1) * nx + i];
}

__global__ void restricted(const float* fine, float* coarse, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= n / 2) return;
  const float* at = fine + 2 * y * n + 2 * x;
  coarse[y * (n / 2) + x] = 0.25F * (at[0] + at[1] + at[n] + at[n + 1]);
}

__global__ void prolonged(const float* coarse, float* fine, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= n) return;
  const int half = n / 2;
  const int next_x = min(x / 2 + (x & 1), half - 1);
  fine[y * n + x] = coarse[(y >> 1) * half + (x >> 1)] + coarse[(y >> 1) * half + next_x];
}

// A plane through a cube, its axis a parameter.
__global__ void plane_of(const float* cube, float* out, int3 size, int axis, int at) {
  const int u = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = blockIdx.y;
  int x = u;
  int y = v;
  int z = at;
  if (axis == 0) {
    x = at;
    y = u;
    z = v;
  } else if (axis == 1) {
    x = u;
    y = at;
    z = v;
  }
  if (x < size.x && y < size.y && z < size.z) {
    out[v * gridDim.x * blockDim.x + u] = cube[(z * size.y + y) * size.x + x];
  }
}

__global__ void many_steps(float* a, int n, int steps) {
  const int i = Thread();
  for (int t = 0; t < steps; ++t) {
    const int at = (i + t * 17) % n;
    a[t % 2 * n + at] += 1;
  }
}

}  // namespace

void LaunchGrids(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  Launch(halo_tile, dim3(13, 7), dim3(kTile, kTile), arrays, a, out, 200, 100);
  Launch(marching_7_point, dim3(4, 12), dim3(32, 8), arrays, a, out, 100, 90, 40);
  Launch(box_27_point, dim3(1, 48, 48), 64, arrays, a, out, 50);
  Launch(red_black, dim3(2, 98), 128, arrays, a, 400, 100, 1);
  Launch(periodic, 79, 256, arrays, a, out, 200, 100, 3);
  Launch(reflected, 20, 256, arrays, a, out, 5000, 4);
  Launch(lattice_boltzmann, dim3(2, 100), 128, arrays, a, out, 200, 100);
  Launch(lattice_of_structures, 79, 256, arrays, a, out, 200, 100);
  Launch(staggered, dim3(2, 100), 128, arrays, out, a, 250, 100);
  Launch(restricted, dim3(1, 100), 128, arrays, a, out, 200);
  Launch(prolonged, dim3(2, 200), 128, arrays, a, out, 200);
  Launch(plane_of, dim3(1, 40), 64, arrays, a, out, make_int3(60, 50, 40), 0, 7);
  Launch(plane_of, dim3(1, 40), 64, arrays, a, out, make_int3(60, 50, 40), 2, 7);
  Launch(many_steps, 8, 128, arrays, out, 10000, 3000);
}
