// SPDX-License-Identifier: Apache-2.0
//
// What warps, blocks and clusters hand to each other, and what the hardware says of them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>

#include <cuda/barrier>

#include "kinds.h"

namespace cg = cooperative_groups;

namespace {

__global__ void added_by_warp(int* counters, int* out, int bins) {
  const int bin = Thread() / 5 % bins;
  const unsigned same = __match_any_sync(~0U, bin);
  const int leader = __ffs(same) - 1;
  const int rank = __popc(same & ((1U << (threadIdx.x & 31)) - 1));
  int base = 0;
  if ((threadIdx.x & 31) == leader) base = atomicAdd(&counters[bin], __popc(same));
  base = __shfl_sync(~0U, base, leader);
  out[bin * 4096 + base + rank] = 1;
  out[rank * 40 + leader] = 2;
}

__global__ void coalesced_groups(const float* in, float* out, int* next) {
  if (in[Thread()] >= 0 && threadIdx.x % 3 == 0) {
    const auto group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0) base = atomicAdd(next, group.size());
    base = group.shfl(base, 0);
    out[base + group.thread_rank()] = 1;
  }
}

__global__ void tile_scans(const float* in, float* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int scanned = cg::inclusive_scan(tile, 2);
  out[blockIdx.x * 1024 + tile.meta_group_rank() * 64 + scanned] = in[Thread()];
  out[65536 + tile.any(threadIdx.x == 40) * 512 + threadIdx.x] = 1;
}

__global__ void queue_of_work(int* next, const float* in, float* out, int tasks, int width) {
  __shared__ int task;
  while (true) {
    if (threadIdx.x == 0) task = atomicAdd(next, 1);
    __syncthreads();
    const int mine = task;
    if (mine >= tasks) return;
    out[mine * width + threadIdx.x] = in[mine * width + threadIdx.x * 2];
    __syncthreads();
  }
}

__global__ void by_multiprocessor(int* counts, long long* times) {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  atomicAdd(&counts[sm], 1);
  times[sm * 32 + (threadIdx.x & 31)] = clock64();
  counts[8192 + (clock() & 0)] = 1;
}

__global__ void barriers(const float* in, float* out) {
  __shared__ float tile[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[Thread() * 2], sizeof(float), ready);
  ready.arrive_and_wait();
  out[Thread()] = tile[threadIdx.x ^ 3];
}

__global__ void copied_by_group(const int* in, int* out, int n) {
  __shared__ int tile[512];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * n, sizeof(int) * n);
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = tile[n - 1 - i];
}

// Half of the warps load, the others compute, over two buffers.
__global__ void producers(const float* in, float* out, int tiles) {
  __shared__ float buffers[2][128];
  const bool loads = threadIdx.x >= 128;
  const int t = threadIdx.x % 128;
  for (int i = 0; i <= tiles; ++i) {
    if (loads && i < tiles) buffers[i % 2][t] = in[(blockIdx.x * tiles + i) * 128 + t];
    if (!loads && i > 0)
      out[(blockIdx.x * tiles + i - 1) * 128 + t] = buffers[(i - 1) % 2][127 - t];
    __syncthreads();
  }
}

// The size of its clusters is the launch's.
__global__ void clusters_of_launch(float* out) {
  const auto cluster = cg::this_cluster();
  out[cluster.block_rank() * 4096 + blockIdx.x / cluster.num_blocks() * 512 + threadIdx.x] = 1;
  out[65536 + cluster.thread_rank() * 2] = 2;
}

__global__ void grid_phases(float* a, float* b, int n, int phases) {
  const auto grid = cg::this_grid();
  for (int phase = 0; phase < phases; ++phase) {
    const float* from = phase % 2 == 0 ? a : b;
    float* to = phase % 2 == 0 ? b : a;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) to[i] = from[(i + 1) % n];
    grid.sync();
  }
}

__global__ void votes(float* out, int n) {
  const int i = Thread();
  if (__all_sync(~0U, i < n)) out[i * 2] = 1;
  if (__any_sync(~0U, i % 50 == 0)) out[8192 + i] = 2;
  const int below = __popc(__ballot_sync(~0U, i % 3 == 0) & ((1U << (threadIdx.x & 31)) - 1));
  out[16384 + i / 32 * 32 + below] = 3;
  out[30000 + __reduce_add_sync(~0U, threadIdx.x & 3) * 4 + (threadIdx.x & 31)] = 4;
  out[40000 + __syncthreads_count(threadIdx.x < 40) * 8 + threadIdx.x] = 5;
  out[50000 + __syncthreads_or(threadIdx.x == 5) * 300 + threadIdx.x] = 6;
}

__device__ int Levels(int n) { return n <= 1 ? 0 : 1 + Levels(n / 2); }
__global__ void recursive(float* out) { out[Levels(threadIdx.x) * 512 + threadIdx.x] = 1; }

template <typename F>
__device__ void ForEach(int n, F f) {
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) f(i);
}
__global__ void lambdas(const float* in, float* out, int n, int stride) {
  ForEach(n, [=](int i) { out[i * stride] = in[n - 1 - i]; });
}

__global__ void spinning(int* lock, int* data) {
  if ((threadIdx.x & 31) == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    data[0] += 1;
    data[32 + Thread() / 32] = 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void said_aloud(float* out, const float* in, int n) {
  const int i = Thread();
  if (in[i] < -1) printf("%d\n", i);
  if (i >= n) __trap();
  out[i * 3] = in[i];
}

__global__ void from_heap(float* out, int n) {
  int* own = static_cast<int*>(malloc(n * sizeof(int)));
  if (own == nullptr) return;
  for (int i = 0; i < n; ++i) own[i] = i * threadIdx.x;
  out[Thread()] = own[n / 2];
  free(own);
}

__global__ void local_stack(float* out, int n) {
  int stack[12];
  int depth = 0;
  for (int i = 0; i < 8; ++i) stack[depth++] = (threadIdx.x + i) * 3 % n;
  while (depth > 4) {
    const int top = stack[--depth];
    if (top % 2 == 1 && depth < 11) stack[depth++] = top / 2;
    out[top] = depth;
  }
}

}  // namespace

void LaunchWarps(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  auto* numbers = reinterpret_cast<int*>(out);
  Launch(added_by_warp, 8, 128, arrays, zero, numbers, 40);
  Launch(coalesced_groups, 8, 128, arrays, a, out, zero);
  Launch(tile_scans, 8, 128, arrays, a, out);
  Launch(queue_of_work, 8, 64, arrays, zero, a, out, 50, 64);
  Launch(by_multiprocessor, 8, 64, arrays, zero, reinterpret_cast<long long*>(out));
  Launch(barriers, 8, 256, arrays, a, out);
  Launch(copied_by_group, 8, 128, arrays, random, numbers, 400);
  Launch(producers, 8, 256, arrays, a, out, 6);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 16;
  config.blockDim = 128;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, clusters_of_launch, out));
  CHECK(cudaDeviceSynchronize());
  int n = 5000;
  int phases = 3;
  float* one = out;
  float* other = b;
  void* arguments[] = {&one, &other, &n, &phases};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_phases), dim3(8), dim3(128),
                                    arguments, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  Launch(votes, 8, 128, arrays, out, 1000);
  Launch(recursive, 2, 256, arrays, out);
  Launch(lambdas, 8, 128, arrays, a, out, 3000, 5);
  Launch(spinning, 8, 128, arrays, zero, numbers);
  Launch(said_aloud, 8, 128, arrays, out, a, 1024);
  Launch(from_heap, 2, 64, arrays, out, 10);
  Launch(local_stack, 2, 128, arrays, out, 1000);
}
