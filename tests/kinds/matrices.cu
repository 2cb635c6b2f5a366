// SPDX-License-Identifier: Apache-2.0
//
// Dense and sparse matrices in the formats that people keep them in.
#include "kinds.h"

namespace {

__global__ void blocked_product(const float* a, const float* b, float* c, int n) {
  constexpr int kBlock = 64;
  constexpr int kDepth = 8;
  __shared__ float tile_a[kDepth][kBlock];
  __shared__ float tile_b[kDepth][kBlock];
  const int t = threadIdx.x;
  float sums[4][4] = {};
  for (int k = 0; k < n; k += kDepth) {
    const float2 of_a =
        *reinterpret_cast<const float2*>(&a[(blockIdx.y * kBlock + t / 4) * n + k + t % 4 * 2]);
    tile_a[t % 4 * 2][t / 4] = of_a.x;
    tile_a[t % 4 * 2 + 1][t / 4] = of_a.y;
    for (int i = t; i < kDepth * kBlock; i += 256) {
      tile_b[i / kBlock][i % kBlock] = b[(k + i / kBlock) * n + blockIdx.x * kBlock + i % kBlock];
    }
    __syncthreads();
    for (int d = 0; d < kDepth; ++d) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          sums[i][j] += tile_a[d][t / 16 * 4 + i] * tile_b[d][t % 16 * 4 + j];
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    float4* to = reinterpret_cast<float4*>(
        &c[(blockIdx.y * kBlock + t / 16 * 4 + i) * n + blockIdx.x * kBlock + t % 16 * 4]);
    *to = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
  }
}

__global__ void upper_product(const float* a, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n || row > col) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k * n + row] * a[k * n + col];
  c[row * n + col] = sum;
  c[col * n + row] = sum;
}

__global__ void packed_triangle(const float* a, float* out, int n) {
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    for (int col = threadIdx.x; col <= row; col += blockDim.x) {
      out[row * n + col] = a[row * (row + 1) / 2 + col];
    }
  }
}

// Of the k-th step of an LU decomposition.
__global__ void eliminate(float* a, int n, int k) {
  const int row = k + 1 + blockIdx.y;
  const int col = k + blockIdx.x * blockDim.x + threadIdx.x;
  if (col < n) a[row * n + col] -= a[row * n + k] / a[k * n + k] * a[k * n + col];
}

__global__ void small_systems(float* systems, int count) {
  constexpr int kSize = 6;
  const int i = Thread();
  if (i >= count) return;
  float* a = systems + i * kSize * kSize;
  for (int k = 0; k < kSize; ++k) {
    for (int r = k + 1; r < kSize; ++r) {
      const float factor = a[r * kSize + k] / a[k * kSize + k];
      for (int c = k; c < kSize; ++c) a[r * kSize + c] -= factor * a[k * kSize + c];
    }
  }
}

__global__ void forward_substitution(const float* l, float* x, int n) {
  for (int row = 0; row < n; ++row) {
    __syncthreads();
    const float value = x[row];
    for (int below = row + 1 + threadIdx.x; below < n; below += blockDim.x) {
      x[below] -= l[below * n + row] * value;
    }
  }
}

__global__ void cyclic_reduction(float* d, int n) {
  for (int step = 1; step < n; step *= 2) {
    const int i = (threadIdx.x + 1) * 2 * step - 1;
    if (i < n) d[i] -= d[i - step] + (i + step < n ? d[i + step] : 0);
    __syncthreads();
  }
  for (int step = n / 2; step > 0; step >>= 1) {
    const int i = threadIdx.x * 2 * step + step - 1;
    if (i < n) d[i] += i >= step ? d[i - step] : 0;
    __syncthreads();
  }
}

// The pairs of a round of a tournament, for rotations.
__global__ void jacobi_pairs(float* a, int n, int round) {
  const int pair = blockIdx.x;
  const int p = pair == 0 ? n - 1 : (round + pair) % (n - 1);
  const int q = (round + n - 1 - pair) % (n - 1);
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    const float of_p = a[p * n + k];
    const float of_q = a[q * n + k];
    a[p * n + k] = of_p - of_q;
    a[q * n + k] = of_p + of_q;
  }
}

__global__ void ellpack(const float* values, const int* columns, const float* x, float* y, int rows,
                        int width) {
  const int row = Thread();
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const int column = columns[k * rows + row];
    if (column >= 0) sum += values[k * rows + row] * x[column];
  }
  y[row] = sum;
}

__global__ void coordinates(const int* row, const int* column, const float* value, const float* x,
                            float* y, int entries) {
  for (int i = Thread(); i < entries; i += gridDim.x * blockDim.x) {
    atomicAdd(&y[row[i]], value[i] * x[column[i]]);
  }
}

__global__ void diagonals(const float* values, const int* offsets, const float* x, float* y, int n,
                          int count) {
  const int row = Thread();
  if (row >= n) return;
  float sum = 0;
  for (int d = 0; d < count; ++d) {
    const int column = row + offsets[d];
    if (column >= 0 && column < n) sum += values[d * n + row] * x[column];
  }
  y[row] = sum;
}

__global__ void sliced_ellpack(const int* slices, const float* values, const int* columns,
                               const float* x, float* y, int n) {
  const int row = Thread();
  if (row >= n) return;
  const int slice = row / 32;
  const int begin = slices[slice];
  const int width = (slices[slice + 1] - begin) / 32;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const int at = begin + k * 32 + row % 32;
    sum += values[at] * x[columns[at]];
  }
  y[row] = sum;
}

__global__ void blocks_of_rows(const int* rows, const int* columns, const float* values,
                               const float* x, float* y) {
  const int row = blockIdx.x;
  const int i = threadIdx.x / 4;
  const int j = threadIdx.x % 4;
  float sum = 0;
  for (int k = rows[row] + threadIdx.y; k < rows[row + 1]; k += blockDim.y) {
    sum += values[k * 16 + i * 4 + j] * x[columns[k] * 4 + j];
  }
  atomicAdd(&y[row * 4 + i], sum);
}

template <int kLanes>
__global__ void row_by_part_of_warp(const int* rows, const float* values, float* y, int n) {
  const int row = Thread() / kLanes;
  const int lane = threadIdx.x % kLanes;
  if (row >= n) return;
  float sum = 0;
  for (int k = rows[row] + lane; k < rows[row + 1]; k += kLanes) sum += values[k];
  for (int d = kLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(~0U, sum, d, kLanes);
  if (lane == 0) y[row] = sum;
}

__global__ void sparse_times_dense(const int* rows, const int* columns, const float* values,
                                   const float* dense, float* out, int width) {
  const int row = blockIdx.x;
  for (int c = threadIdx.x; c < width; c += blockDim.x) {
    float sum = 0;
    for (int k = rows[row]; k < rows[row + 1]; ++k)
      sum += values[k] * dense[columns[k] * width + c];
    out[row * width + c] = sum;
  }
}

// Row pointers instead of one matrix: float**.
__global__ void rows_by_pointer(float* const* rows, float* out, int w) {
  out[blockIdx.x * w + threadIdx.x] = rows[blockIdx.x][threadIdx.x * 2];
}

typedef float Grid[48][40];
__global__ void arrays_of_arrays(const Grid* in, Grid* out) {
  out[blockIdx.x][threadIdx.y][threadIdx.x] = in[blockIdx.x][threadIdx.x + 8][threadIdx.y];
}

struct Batch {
  float* out[8];
  int size[8];
  int count;
};
__global__ void many_tensors(const __grid_constant__ Batch batch) {
  const int which = blockIdx.x % batch.count;
  float* to = batch.out[which];
  for (int i = threadIdx.x; i < batch.size[which]; i += blockDim.x) to[i] = i;
}

}  // namespace

void LaunchMatrices(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  Launch(blocked_product, dim3(3, 3), 256, arrays, a, b, out, 192);
  Launch(upper_product, dim3(3, 12), dim3(32, 8), arrays, a, out, 90);
  Launch(packed_triangle, 16, 64, arrays, a, out, 150);
  Launch(eliminate, dim3(2, 180), 128, arrays, out, 200, 19);
  Launch(small_systems, 8, 128, arrays, out, 1000);
  Launch(forward_substitution, 1, 128, arrays, a, out, 200);
  Launch(cyclic_reduction, 1, 256, arrays, out, 512);
  Launch(jacobi_pairs, 50, 64, arrays, out, 100, 7);
  Launch(ellpack, 20, 128, arrays, a, random, b, out, 2500, 9);
  Launch(coordinates, 20, 128, arrays, random, random + 10000, a, b, out, 9000);
  Launch(diagonals, 20, 128, arrays, a, zero, b, out, 2500, 5);
  Launch(sliced_ellpack, 20, 128, arrays, rows, a, random, b, out, 2500);
  Launch(blocks_of_rows, 100, dim3(16, 4), arrays, rows, random, a, b, out);
  Launch(row_by_part_of_warp<8>, 100, 128, arrays, rows, a, out, 1500);
  Launch(sparse_times_dense, 100, 32, arrays, rows, random, a, b, out, 24);
  float* pointers[50];
  for (int i = 0; i < 50; ++i) pointers[i] = a + i * 1000 + i;
  float** on_device = nullptr;
  CHECK(cudaMalloc(&on_device, sizeof(pointers)));
  CHECK(cudaMemcpy(on_device, pointers, sizeof(pointers), cudaMemcpyHostToDevice));
  Launch(rows_by_pointer, 50, 64, arrays, on_device, out, 64);
  Launch(arrays_of_arrays, 20, dim3(32, 16), arrays, reinterpret_cast<const Grid*>(a),
         reinterpret_cast<Grid*>(out));
  Batch batch{};
  batch.count = 5;
  for (int i = 0; i < 5; ++i) {
    batch.out[i] = out + i * 10001;
    batch.size[i] = 500 + i * 77;
  }
  Launch(many_tensors, 20, 64, arrays, batch);
}
