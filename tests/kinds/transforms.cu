// SPDX-License-Identifier: Apache-2.0
//
// Transforms, scans and sorts: strides that double, bits reversed, counters by block.
#include "kinds.h"

namespace {

__global__ void stockham(const float2* in, float2* out, int n, int span) {
  const int i = Thread();
  if (i >= n / 2) return;
  const int k = i & (span - 1);
  const int to = ((i - k) << 1) + k;
  float s;
  float c;
  sincospif(-static_cast<float>(k) / span, &s, &c);
  const float2 x = in[i];
  const float2 y = in[i + n / 2];
  const float2 turned = make_float2(c * y.x - s * y.y, c * y.y + s * y.x);
  out[to] = make_float2(x.x + turned.x, x.y + turned.y);
  out[to + span] = make_float2(x.x - turned.x, x.y - turned.y);
}

__global__ void in_place_stages(float2* data, int bits) {
  const int n = 1 << bits;
  float2* mine = data + blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int j = __brev(i) >> (32 - bits);
    if (i < j) {
      const float2 t = mine[i];
      mine[i] = mine[j];
      mine[j] = t;
    }
  }
  __syncthreads();
  for (int half = 1; half < n; half <<= 1) {
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
      const int at = i / half * 2 * half + i % half;
      const float2 x = mine[at];
      const float2 y = mine[at + half];
      mine[at] = make_float2(x.x + y.x, x.y + y.y);
      mine[at + half] = make_float2(x.x - y.x, x.y - y.y);
    }
    __syncthreads();
  }
}

__global__ void hadamard_by_lanes(float* data, int n) {
  const int i = Thread();
  if (i >= n) return;
  float v = data[i];
  for (int d = 1; d < 32; d <<= 1) {
    const float other = __shfl_xor_sync(__activemask(), v, d);
    v = (threadIdx.x & d) != 0 ? other - v : other + v;
  }
  data[(i & ~31) + (__brev(i & 31) >> 27)] = v;
}

__global__ void lifting(float* data, int n, int stride) {
  const int i = Thread();
  const int at = (2 * i + 1) * stride;
  if (at < n)
    data[at] -=
        0.5F * (data[at - stride] + (at + stride < n ? data[at + stride] : data[at - stride]));
}

__global__ void cosine_8x8(const float* in, float* out, int w) {
  __shared__ float block[8][9];
  const float* from = in + blockIdx.y * 8 * w + blockIdx.x * 8;
  block[threadIdx.y][threadIdx.x] = from[threadIdx.y * w + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += block[threadIdx.y][k] * cospif((2 * k + 1) * threadIdx.x / 16.F);
  }
  out[(blockIdx.y * 8 + threadIdx.x) * w + blockIdx.x * 8 + threadIdx.y] = sum;
}

__global__ void number_transform(unsigned* data, int n, int half, unsigned root, unsigned modulus) {
  const int i = Thread();
  if (i >= n / 2) return;
  const int j = i % half;
  const int at = i / half * 2 * half + j;
  unsigned long long power = 1;
  for (int k = 0; k < j; ++k) power = power * root % modulus;
  const unsigned x = data[at];
  const unsigned y = static_cast<unsigned>(data[at + half] * power % modulus);
  data[at] = (x + y) % modulus;
  data[at + half] = (x + modulus - y) % modulus;
}

__global__ void scan_in_block(const int* in, int* out, int* sums) {
  __shared__ int values[512 + 16];
  const auto place = [](int i) { return i + (i >> 5); };
  const int t = threadIdx.x;
  const int first = blockIdx.x * 512;
  values[place(t)] = in[first + t];
  values[place(t + 256)] = in[first + t + 256];
  int offset = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) values[place(offset * (2 * t + 2) - 1)] += values[place(offset * (2 * t + 1) - 1)];
    offset *= 2;
  }
  if (t == 0) sums[blockIdx.x] = values[place(511)];
  __syncthreads();
  out[first + t] = values[place(t)];
  out[first + t + 256] = values[place(t + 256)];
}

__global__ void double_steps(const int* in, int* out, int n, int d) {
  const int i = Thread();
  if (i < n) out[i] = i >= d ? in[i] + in[i - d] : in[i];
}

__global__ void look_back(const int* in, volatile int* states, int* out) {
  __shared__ int before;
  const int i = Thread();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int block = static_cast<int>(blockIdx.x) - 1; block >= 0; --block) {
      int state;
      do {
        state = states[block];
      } while (state == 0);
      sum += state;
    }
    before = sum;
    states[blockIdx.x] = sum + 1;
  }
  __syncthreads();
  out[i] = in[i] + before;
}

__global__ void histogram_in_shared(const int* in, int* bins, int n) {
  __shared__ int counts[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[in[i] & 255], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (counts[i] != 0) atomicAdd(&bins[i], counts[i]);
  }
}

__global__ void radix_counts(const unsigned* keys, unsigned* counts, int n, int shift) {
  __shared__ unsigned digits[16][65];
  for (int d = 0; d < 16; ++d) digits[d][threadIdx.x] = 0;
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int i = begin; i < min(begin + 16, n); ++i) ++digits[keys[i] >> shift & 15U][threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16) {
    unsigned sum = 0;
    for (int t = 0; t < 64; ++t) sum += digits[threadIdx.x][t];
    counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
  }
}

__global__ void radix_scatter(const unsigned* keys, unsigned* out, const unsigned* starts, int n) {
  const int begin = Thread() * 16;
  unsigned next[4];
  for (int d = 0; d < 4; ++d) next[d] = starts[d * gridDim.x * blockDim.x + Thread()];
  for (int i = begin; i < min(begin + 16, n); ++i) {
    const unsigned digit = keys[i] & 3U;
    out[next[digit]++] = keys[i];
  }
}

__global__ void odd_even(int* data, int n, int phase) {
  const int i = 2 * Thread() + phase;
  if (i + 1 >= n) return;
  const int a = data[i];
  const int b = data[i + 1];
  if (a > b) {
    data[i] = b;
    data[i + 1] = a;
  }
}

__global__ void bitonic_in_block(int* data) {
  int* mine = data + blockIdx.x * 256;
  const int i = threadIdx.x;
  for (int k = 2; k <= 256; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      const int other = i ^ j;
      if (other > i) {
        const int a = mine[i];
        const int b = mine[other];
        if (((i & k) == 0) == (a > b)) {
          mine[i] = b;
          mine[other] = a;
        }
      }
      __syncthreads();
    }
  }
}

__global__ void insertion(int* data, int rows, int width) {
  int* mine = data + Thread() * width;
  if (Thread() >= rows) return;
  for (int i = 1; i < width; ++i) {
    const int key = mine[i];
    int j = i - 1;
    while (j >= 0 && mine[j] > key) {
      mine[j + 1] = mine[j];
      --j;
    }
    mine[j + 1] = key;
  }
}

__global__ void argument_of_most(const float* in, float* most, int* where, int n) {
  float best = -1e30F;
  int at = -1;
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) {
    if (in[i] > best) {
      best = in[i];
      at = i;
    }
  }
  for (int d = 16; d > 0; d >>= 1) {
    const float other = __shfl_down_sync(~0U, best, d);
    const int other_at = __shfl_down_sync(~0U, at, d);
    if (other > best) {
      best = other;
      at = other_at;
    }
  }
  if ((threadIdx.x & 31) == 0) {
    most[Thread() / 32] = best;
    where[Thread() / 32] = at;
  }
}

__global__ void last_block_sums(const float* in, float* parts, int* done, float* out, int n) {
  __shared__ bool is_last;
  float sum = 0;
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) sum += in[i];
  parts[Thread()] = sum;
  __threadfence();
  if (threadIdx.x == 0) is_last = atomicAdd(done, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!is_last) return;
  for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += parts[i];
  out[threadIdx.x] = sum;
}

__global__ void segment_sums(const float* in, const int* flags, float* out, int n) {
  float sum = 0;
  int segment = 0;
  for (int i = Thread() * 8; i < min(Thread() * 8 + 8, n); ++i) {
    if (flags[i] != segment) {
      atomicAdd(&out[segment], sum);
      segment = flags[i];
      sum = 0;
    }
    sum += in[i];
  }
  atomicAdd(&out[segment], sum);
}

__global__ void run_lengths(const int* starts, const int* values, int* out, int runs) {
  const int run = blockIdx.x;
  if (run >= runs) return;
  for (int i = starts[run] + threadIdx.x; i < starts[run + 1]; i += blockDim.x)
    out[i] = values[run];
}

}  // namespace

void LaunchTransforms(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  auto* numbers = reinterpret_cast<int*>(out);
  auto* unsigneds = reinterpret_cast<unsigned*>(out);
  const auto* keys = reinterpret_cast<const unsigned*>(random);
  const auto* pairs = reinterpret_cast<const float2*>(a);
  Launch(stockham, 8, 128, arrays, pairs, reinterpret_cast<float2*>(out), 2048, 8);
  Launch(in_place_stages, 6, 64, arrays, reinterpret_cast<float2*>(out), 9);
  Launch(hadamard_by_lanes, 8, 128, arrays, out, 1000);
  Launch(lifting, 8, 128, arrays, out, 6000, 3);
  Launch(cosine_8x8, dim3(10, 10), dim3(8, 8), arrays, a, out, 80);
  Launch(number_transform, 8, 128, arrays, unsigneds, 2048, 64, 3U, 998244353U);
  Launch(scan_in_block, 8, 256, arrays, random, numbers, zero);
  Launch(double_steps, 10, 128, arrays, random, numbers, 1200, 16);
  Launch(look_back, 8, 128, arrays, random, zero, numbers);
  Launch(histogram_in_shared, 8, 128, arrays, random, zero, 10000);
  Launch(radix_counts, 8, 64, arrays, keys, unsigneds, 8000, 4);
  Launch(radix_scatter, 4, 64, arrays, keys, unsigneds, reinterpret_cast<const unsigned*>(rows),
         4000);
  Launch(odd_even, 8, 128, arrays, random, 2001, 1);
  Launch(bitonic_in_block, 6, 256, arrays, numbers);
  Launch(insertion, 2, 128, arrays, random + 100000, 200, 20);
  Launch(argument_of_most, 8, 128, arrays, a, out, numbers + 10000, 10000);
  Launch(last_block_sums, 8, 128, arrays, a, out, zero, out + 5000, 10000);
  Launch(segment_sums, 8, 128, arrays, a, random, out, 8000);
  Launch(run_lengths, 100, 32, arrays, rows, random, numbers, 100);
}
