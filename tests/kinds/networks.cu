// SPDX-License-Identifier: Apache-2.0
//
// Layers of neural networks: convolutions, pools, norms, attention, permutations of tensors.
#include <cuda_bf16.h>

#include "kinds.h"

namespace {

__global__ void convolution(const float* in, const float* weights, float* out, int channels, int h,
                            int w, int filters, int k, int stride, int pad) {
  const int out_w = (w + 2 * pad - k) / stride + 1;
  const int out_h = (h + 2 * pad - k) / stride + 1;
  const int i = Thread();
  if (i >= filters * out_h * out_w) return;
  const int x = i % out_w;
  const int y = i / out_w % out_h;
  const int f = i / (out_w * out_h);
  float sum = 0;
  for (int c = 0; c < channels; ++c) {
    for (int dy = 0; dy < k; ++dy) {
      for (int dx = 0; dx < k; ++dx) {
        const int at_y = y * stride - pad + dy;
        const int at_x = x * stride - pad + dx;
        if (at_y < 0 || at_y >= h || at_x < 0 || at_x >= w) continue;
        sum += in[(c * h + at_y) * w + at_x] * weights[((f * channels + c) * k + dy) * k + dx];
      }
    }
  }
  out[i] = sum;
}

__global__ void image_to_columns(const float* in, float* columns, int n, int h, int w, int k) {
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) {
    const int x = i % w;
    const int y = i / w % h;
    const int c = i / w / h;
    float* to = columns + (c * k * k * h + y) * w + x;
    for (int dy = 0; dy < k; ++dy) {
      for (int dx = 0; dx < k; ++dx) {
        const int at_y = y + dy - k / 2;
        const int at_x = x + dx - k / 2;
        const bool inside = at_y >= 0 && at_x >= 0 && at_y < h && at_x < w;
        *to = inside ? in[(c * h + at_y) * w + at_x] : 0;
        to += h * w;
      }
    }
  }
}

__global__ void pool(const float* in, float* out, int h, int w, int channels) {
  const int c = threadIdx.x;
  const int x = blockIdx.x;
  const int y = blockIdx.y;
  float most = -1e30F;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) {
      if (2 * y + dy < h && 2 * x + dx < w) {
        most = fmaxf(most, in[((2 * y + dy) * w + 2 * x + dx) * channels + c]);
      }
    }
  }
  out[(y * gridDim.x + x) * channels + c] = most;
}

__global__ void layer_norm(const float4* in, float4* out, int width) {
  const int row = Thread() / 32;
  const int lane = threadIdx.x & 31;
  float sum = 0;
  for (int i = lane; i < width / 4; i += 32) sum += in[row * (width / 4) + i].x;
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(~0U, sum, d);
  for (int i = lane; i < width / 4; i += 32) {
    float4 v = in[row * (width / 4) + i];
    v.x -= sum;
    out[row * (width / 4) + i] = v;
  }
}

__global__ void batch_norm(const float* in, float* out, int batch, int channels, int plane) {
  const int c = blockIdx.x;
  for (int i = threadIdx.x; i < batch * plane; i += blockDim.x) {
    const int n = i / plane;
    out[(n * channels + c) * plane + i % plane] = in[(n * channels + c) * plane + i % plane];
  }
}

__global__ void softmax_rows(const float* in, float* out, int width) {
  const float* row = in + static_cast<size_t>(blockIdx.x) * width;
  float most = -1e30F;
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const float next = fmaxf(most, row[i]);
    sum = sum * __expf(most - next) + __expf(row[i] - next);
    most = next;
  }
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[static_cast<size_t>(blockIdx.x) * width + i] = __expf(row[i] - most) / sum;
  }
}

// One query a thread, keys in tiles.
__global__ void attention(const float* q, const float* k, const float* v, float* out, int length) {
  constexpr int kWidth = 32;
  __shared__ float keys[32][kWidth];
  const int query = Thread();
  float mine[kWidth];
  float sum[kWidth] = {};
  for (int d = 0; d < kWidth; ++d) mine[d] = q[query * kWidth + d];
  for (int tile = 0; tile < length; tile += 32) {
    for (int i = threadIdx.x; i < 32 * kWidth; i += blockDim.x) {
      keys[i / kWidth][i % kWidth] = k[tile * kWidth + i];
    }
    __syncthreads();
    for (int j = 0; j < 32 && tile + j <= query; ++j) {
      float score = 0;
      for (int d = 0; d < kWidth; ++d) score += mine[d] * keys[j][d];
      for (int d = 0; d < kWidth; ++d) sum[d] += __expf(score) * v[(tile + j) * kWidth + d];
    }
    __syncthreads();
  }
  for (int d = 0; d < kWidth; ++d) out[query * kWidth + d] = sum[d];
}

__global__ void embedding(const int* tokens, const float* table, float* out, int width, int words) {
  const int word = min(tokens[blockIdx.x], words - 1);
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[blockIdx.x * width + i] = table[word * width + i];
  }
}

__global__ void rotary(float* x, const int* positions, int heads, int width) {
  const int half = width / 2;
  for (int i = threadIdx.x; i < heads * half; i += blockDim.x) {
    const int at = blockIdx.x * heads * width + i / half * width + i % half;
    const float angle = positions[blockIdx.x] * __powf(10000.F, -2.F * (i % half) / width);
    const float one = x[at];
    const float other = x[at + half];
    x[at] = one * cosf(angle) - other * sinf(angle);
    x[at + half] = other * cosf(angle) + one * sinf(angle);
  }
}

__global__ void paged_cache(const float* cache, const int* pages, float* out, int length) {
  constexpr int kPage = 16;
  constexpr int kWidth = 64;
  float sum = 0;
  for (int token = 0; token < length; ++token) {
    const int page = pages[blockIdx.x * 8 + token / kPage] % 512;
    sum += cache[(page * kPage + token % kPage) * kWidth + threadIdx.x];
  }
  out[blockIdx.x * kWidth + threadIdx.x] = sum;
}

constexpr int kMostAxes = 6;
struct Strides {
  int axes;
  int size[kMostAxes];
  int from[kMostAxes];
};
__global__ void permute(const float* in, float* out, Strides strides, int n) {
  int left = Thread();
  if (left >= n) return;
  const int to = left;
  int at = 0;
  for (int axis = strides.axes - 1; axis >= 0; --axis) {
    at += left % strides.size[axis] * strides.from[axis];
    left /= strides.size[axis];
  }
  out[to] = in[at];
}

__global__ void pixel_shuffle(const float* in, float* out, int channels, int h, int w, int r) {
  const int i = Thread();
  if (i >= channels * h * w * r * r) return;
  const int x = i % (w * r);
  const int y = i / (w * r) % (h * r);
  const int c = i / (w * r) / (h * r);
  out[i] = in[((c * r * r + y % r * r + x % r) * h + y / r) * w + x / r];
}

__global__ void concatenate(const float* a, const float* b, float* out, int of_a, int of_b, int n) {
  const int i = Thread();
  if (i >= n) return;
  const int row = i / (of_a + of_b);
  const int col = i % (of_a + of_b);
  out[i] = col < of_a ? a[row * of_a + col] : b[row * of_b + col - of_a];
}

__global__ void unpack_nibbles(const unsigned* packed, float* out, const float* scales, int n) {
  const int i = Thread();
  if (i >= n) return;
  const unsigned word = packed[i / 8];
  out[i] = static_cast<int>(word >> (4 * (i % 8)) & 15U) * scales[i / 128];
}

__global__ void split_sum(const float* in, float* out, int n, int parts) {
  const int part = blockIdx.y;
  const int begin = static_cast<int>(static_cast<long long>(n) * part / parts);
  const int end = static_cast<int>(static_cast<long long>(n) * (part + 1) / parts);
  float sum = 0;
  for (int i = begin + Thread(); i < end; i += gridDim.x * blockDim.x) sum += in[i];
  out[part * gridDim.x * blockDim.x + Thread()] = sum;
}

__global__ void adam(float* weights, float* m, float* v, const float* gradient, int n) {
  for (int i = Thread() * 4; i + 3 < n; i += gridDim.x * blockDim.x * 4) {
    for (int j = 0; j < 4; ++j) {
      m[i + j] = 0.9F * m[i + j] + gradient[i + j];
      v[i + j] = 0.99F * v[i + j] + gradient[i + j] * gradient[i + j];
      weights[i + j] -= m[i + j] * rsqrtf(v[i + j]);
    }
  }
}

__global__ void boxes_overlap(const float4* boxes, unsigned long long* mask, int n) {
  __shared__ float4 others[64];
  if (blockIdx.y > blockIdx.x) return;
  const int columns = min(n - static_cast<int>(blockIdx.x) * 64, 64);
  const int row = blockIdx.y * 64 + threadIdx.x;
  if (threadIdx.x < columns) others[threadIdx.x] = boxes[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (row >= n) return;
  const float4 mine = boxes[row];
  unsigned long long bits = 0;
  for (int i = row == blockIdx.x * 64 ? threadIdx.x + 1 : 0; i < columns; ++i) {
    if (others[i].x < mine.z) bits |= 1ULL << i;
  }
  mask[row * gridDim.x + blockIdx.x] = bits;
}

__global__ void brain_floats(const __nv_bfloat16* in, __nv_bfloat16* out, int width) {
  const int i = blockIdx.x * width + threadIdx.x * 2;
  const __nv_bfloat162 two = *reinterpret_cast<const __nv_bfloat162*>(&in[i]);
  out[i / 2] = __hadd(two.x, two.y);
}

}  // namespace

void LaunchNetworks(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  Launch(convolution, 16, 128, arrays, a, b, out, 3, 30, 34, 8, 3, 2, 1);
  Launch(image_to_columns, 8, 128, arrays, a, out, 4 * 20 * 24, 20, 24, 3);
  Launch(pool, dim3(12, 10), 48, arrays, a, out, 20, 24, 48);
  Launch(layer_norm, 20, 128, arrays, reinterpret_cast<const float4*>(a),
         reinterpret_cast<float4*>(out), 768);
  Launch(batch_norm, 16, 128, arrays, a, out, 4, 16, 100);
  Launch(softmax_rows, 40, 128, arrays, a, out, 1000);
  Launch(attention, 4, 64, arrays, a, b, a, out, 256);
  Launch(embedding, 60, 64, arrays, random, a, out, 128, 1000);
  Launch(rotary, 30, 64, arrays, out, random, 4, 64);
  Launch(paged_cache, 20, 64, arrays, a, random, out, 100);
  Launch(permute, 60, 128, arrays, a, out, Strides{4, {4, 20, 6, 16}, {16, 64, 1280, 1}}, 7680);
  Launch(pixel_shuffle, 60, 128, arrays, a, out, 3, 20, 30, 2);
  Launch(concatenate, 40, 128, arrays, a, b, out, 30, 11, 5000);
  Launch(unpack_nibbles, 40, 128, arrays, reinterpret_cast<const unsigned*>(random), out, a, 5000);
  Launch(split_sum, dim3(3, 7), 64, arrays, a, out, 10001, 7);
  Launch(adam, 8, 64, arrays, out, a, b, a + 100000, 8191);
  Launch(boxes_overlap, dim3(5, 5), 64, arrays, reinterpret_cast<const float4*>(a),
         reinterpret_cast<unsigned long long*>(out), 300);
  Launch(brain_floats, 20, 64, arrays, reinterpret_cast<const __nv_bfloat16*>(a),
         reinterpret_cast<__nv_bfloat16*>(out), 160);
}
