// SPDX-License-Identifier: Apache-2.0
//
// Algorithms of CUB over a device's memory, and kernels that load by its ways for a block: nothing
// but templates.
#include <thrust/device_vector.h>
#include <thrust/sequence.h>

#include <cstdio>
#include <cub/cub.cuh>

namespace {

constexpr int kCount = 1 << 20, kThreads = 128, kItems = 8;

template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore>
__global__ void Doubled(const int* source, int* target) {
  using Load = cub::BlockLoad<int, kThreads, kItems, kLoad>;
  using Store = cub::BlockStore<int, kThreads, kItems, kStore>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  int items[kItems];
  const int first = blockIdx.x * kThreads * kItems;
  Load(storage.load).Load(source + first, items);
  for (int& item : items) item *= 2;
  __syncthreads();
  Store(storage.store).Store(target + first, items);
}

template <class Algorithm>
void Run(const Algorithm& algorithm) {
  size_t bytes = 0;
  algorithm(nullptr, bytes);
  thrust::device_vector<char> storage(bytes);
  algorithm(thrust::raw_pointer_cast(storage.data()), bytes);
}

}  // namespace

int main() {
  thrust::device_vector<int> source(kCount), target(kCount), counts(kCount), levels(257);
  thrust::sequence(source.begin(), source.end());
  int* const in = thrust::raw_pointer_cast(source.data());
  int* const out = thrust::raw_pointer_cast(target.data());
  int* const histogram = thrust::raw_pointer_cast(levels.data());
  int* const number = thrust::raw_pointer_cast(counts.data());
  const int blocks = kCount / (kThreads * kItems);
  Doubled<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT><<<blocks, kThreads>>>(in, out);
  Doubled<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED><<<blocks, kThreads>>>(in, out);
  Doubled<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE><<<blocks, kThreads>>>(in, out);
  Doubled<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>
      <<<blocks, kThreads>>>(in, out);
  Run([&](void* at, size_t& bytes) { cub::DeviceReduce::Sum(at, bytes, in, out, kCount); });
  Run([&](void* at, size_t& bytes) { cub::DeviceScan::ExclusiveSum(at, bytes, in, out, kCount); });
  Run([&](void* at, size_t& bytes) { cub::DeviceRadixSort::SortKeys(at, bytes, in, out, kCount); });
  Run([&](void* at, size_t& bytes) {
    cub::DeviceHistogram::HistogramEven(at, bytes, in, histogram, 257, 0, kCount, kCount);
  });
  Run([&](void* at, size_t& bytes) {
    cub::DeviceRunLengthEncode::Encode(at, bytes, in, out, number, histogram, kCount);
  });
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
