// SPDX-License-Identifier: Apache-2.0
//
// Random numbers, hashes and simulations: indices that look like chance and are computed.
#include "kinds.h"

namespace {

__device__ unsigned Mixed(unsigned x) {
  x ^= x >> 16U;
  x *= 0x85ebca6bU;
  x ^= x >> 13U;
  x *= 0xc2b2ae35U;
  return x ^ (x >> 16U);
}

__global__ void scattered_updates(unsigned* table, unsigned size, int updates) {
  unsigned long long state = 0x2545f4914f6cdd1dULL * (Thread() + 1);
  for (int i = 0; i < updates; ++i) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    table[state & (size - 1)] ^= static_cast<unsigned>(state);
  }
}

__global__ void hashed_slots(float* out, unsigned size, unsigned seed) {
  const unsigned i = Thread();
  out[Mixed(i ^ seed) % size] = 1;
  out[65536 + (i * 2654435761U >> 20U)] = 2;
  unsigned hash = 2166136261U;
  for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (i >> (8 * byte) & 255U)) * 16777619U;
  out[131072 + hash % size] = 3;
}

struct Philox {
  uint4 counter;
  uint2 key;
  __device__ uint4 Next() {
    uint4 c = counter;
    uint2 k = key;
    for (int round = 0; round < 10; ++round) {
      const unsigned high0 = __umulhi(0xD2511F53U, c.x);
      const unsigned low0 = 0xD2511F53U * c.x;
      const unsigned high1 = __umulhi(0xCD9E8D57U, c.z);
      const unsigned low1 = 0xCD9E8D57U * c.z;
      c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
      k.x += 0x9E3779B9U;
      k.y += 0xBB67AE85U;
    }
    ++counter.x;
    return c;
  }
};
__global__ void dropout(const float* in, float* out, int n, unsigned long long seed) {
  Philox philox{make_uint4(0, 0, Thread(), 0), make_uint2(seed, seed >> 32U)};
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) {
    const uint4 chance = philox.Next();
    if (chance.x > 0x80000000U) out[i] = in[i] * 2;
    out[n + chance.y % n] = 1;
  }
}

// Marsaglia's xorwow, its states in an array of structures.
struct Xorwow {
  unsigned d;
  unsigned v[5];
};
__device__ unsigned Next(Xorwow& state) {
  const unsigned t = state.v[0] ^ (state.v[0] >> 2U);
  for (int i = 0; i < 4; ++i) state.v[i] = state.v[i + 1];
  state.v[4] = (state.v[4] ^ (state.v[4] << 4U)) ^ (t ^ (t << 1U));
  state.d += 362437;
  return state.v[4] + state.d;
}
__global__ void prices(const Xorwow* states, float* out, int paths, int steps) {
  Xorwow state = states[Thread()];
  float sum = 0;
  for (int path = 0; path < paths; ++path) {
    float price = 100;
    for (int step = 0; step < steps; ++step) {
      const float u = (Next(state) + 1.F) * 2.3283064e-10F;
      const float v = (Next(state) + 1.F) * 2.3283064e-10F;
      price *= expf(0.01F + 0.2F * sqrtf(-2 * logf(u)) * cospif(2 * v));
    }
    sum += fmaxf(price - 100, 0);
  }
  out[Thread()] = sum;
}

__global__ void own_stream(float* out, int draws) {
  unsigned state = Mixed(Thread() + 1);
  int inside = 0;
  for (int i = 0; i < draws; ++i) {
    state = state * 1664525U + 1013904223U;
    const float x = (state >> 8U) * 5.96e-8F;
    state = state * 1664525U + 1013904223U;
    const float y = (state >> 8U) * 5.96e-8F;
    if (x * x + y * y < 1) ++inside;
  }
  out[Thread()] = inside;
}

__global__ void sobol(float* out, const unsigned* directions, int n, int dimension) {
  const unsigned* v = directions + 32 * blockIdx.y;
  unsigned x = 0;
  unsigned gray = Thread() ^ (Thread() >> 1U);
  for (int k = 0; gray != 0; gray >>= 1U, ++k) {
    if ((gray & 1U) != 0) x ^= v[k];
  }
  const int stride = gridDim.x * blockDim.x;
  for (int i = Thread(); i < n; i += stride) {
    out[blockIdx.y * n + i] = x * 2.3283064e-10F;
    x ^= v[__ffs(stride) - 1] ^ v[__ffs(~((i + stride - 1) | (stride - 1))) - 1];
  }
}

__global__ void ising(signed char* spins, int w, int h, int colour, unsigned seed) {
  const int y = blockIdx.y;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + ((y ^ colour) & 1);
  if (x >= w) return;
  const int sum = spins[y * w + (x + 1) % w] + spins[y * w + (x + w - 1) % w] +
                  spins[(y + 1) % h * w + x] + spins[(y + h - 1) % h * w + x];
  const int spin = spins[y * w + x];
  const float chance = (Mixed(seed ^ (y * w + x)) >> 8U) * 5.96e-8F;
  if (chance < __expf(-0.8F * sum * spin)) spins[y * w + x] = -spin;
}

__global__ void random_walk(int* visits, int side, int steps) {
  unsigned state = Mixed(Thread() * 7919U + 17);
  int x = side / 2;
  int y = side / 2;
  for (int i = 0; i < steps; ++i) {
    state ^= state << 13U;
    state ^= state >> 17U;
    state ^= state << 5U;
    const int dx[4] = {1, -1, 0, 0};
    const int dy[4] = {0, 0, 1, -1};
    x = min(max(x + dx[state & 3U], 0), side - 1);
    y = min(max(y + dy[state & 3U], 0), side - 1);
    atomicAdd(&visits[y * side + x], 1);
  }
}

__global__ void bloom(unsigned* bits, unsigned size) {
  const unsigned key = Thread();
  for (unsigned k = 0; k < 3; ++k) {
    const unsigned bit = (Mixed(key) + k * Mixed(key ^ 0x5bd1e995U)) % size;
    atomicOr(&bits[bit / 32], 1U << (bit % 32));
  }
}

__global__ void insert_into_table(int* table, const int* keys, int size) {
  const int key = keys[Thread()];
  unsigned slot = Mixed(key) % size;
  while (true) {
    const int before = atomicCAS(&table[slot], 0, key + 1);
    if (before == 0 || before == key + 1) return;
    slot = (slot + 1) % size;
  }
}

__global__ void bodies(const float4* at, float4* force, int n) {
  __shared__ float4 tile[128];
  const int i = Thread();
  const float4 mine = at[min(i, n - 1)];
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += 128) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = at[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < min(128, n - first); ++j) {
      const float dx = tile[j].x - mine.x;
      const float strength = tile[j].w * rsqrtf(dx * dx + 0.01F);
      sum.x += dx * strength;
    }
    __syncthreads();
  }
  if (i < n) force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

__global__ void all_pairs(const float* at, float* out, int n) {
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int j = 0; j < n; ++j) {
      const float d = at[3 * j] - at[3 * i];
      sum += d * d;
    }
    out[i] = sum;
  }
}

__global__ void near_cells(const float* at, const int* cells, const int* counts, float* force,
                           int side, int most) {
  const int cell = blockIdx.x;
  const int x = cell % side;
  const int y = cell / side % side;
  const int z = cell / side / side;
  if (threadIdx.x >= min(counts[cell], most)) return;
  const int mine = cells[cell * most + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 27; ++k) {
    const int near_x = (x + k % 3 - 1 + side) % side;
    const int near_y = (y + k / 3 % 3 - 1 + side) % side;
    const int near_z = (z + k / 9 - 1 + side) % side;
    const int near = (near_z * side + near_y) * side + near_x;
    for (int j = 0; j < min(counts[near], most); ++j)
      sum += at[cells[near * most + j] * 4] - at[mine * 4];
  }
  force[mine] = sum;
}

}  // namespace

void LaunchRandom(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  auto* numbers = reinterpret_cast<unsigned*>(zero);
  Launch(scattered_updates, 4, 128, arrays, numbers, 65536U, 64);
  Launch(hashed_slots, 16, 128, arrays, out, 50021U, 12345U);
  Launch(dropout, 16, 128, arrays, a, out, 10000, 0x123456789ULL);
  Launch(prices, 4, 64, arrays, reinterpret_cast<const Xorwow*>(random), out, 30, 200);
  Launch(own_stream, 4, 64, arrays, out, 20000);
  Launch(sobol, dim3(4, 3), 64, arrays, out, reinterpret_cast<const unsigned*>(random), 4096, 3);
  Launch(ising, dim3(1, 100), 128, arrays, reinterpret_cast<signed char*>(zero), 200, 100, 1, 9U);
  Launch(random_walk, 2, 64, arrays, zero, 100, 200);
  Launch(bloom, 16, 128, arrays, numbers, 100003U);
  Launch(insert_into_table, 16, 128, arrays, zero, random, 8192);
  Launch(bodies, 8, 128, arrays, reinterpret_cast<const float4*>(a), reinterpret_cast<float4*>(out),
         1000);
  Launch(all_pairs, 8, 128, arrays, a, out, 1500);
  Launch(near_cells, 216, 32, arrays, a, random, random, out, 6, 8);
}
