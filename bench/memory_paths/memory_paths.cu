// SPDX-License-Identifier: Apache-2.0
//
// What a request costs each part of the memory's path, by how many sectors and lines it touches: a
// full device of warps asks L1, L2 or memory for nothing else. Prints CSV; the constants of
// libcoalcheck/cost/ were read off it.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "samples/common/check.h"
#include "samples/common/device_array.h"
#include "samples/common/timing.h"

namespace {

using samples::Check;

constexpr unsigned kBlock = 1024;
constexpr unsigned kLanes = 32;
constexpr unsigned kUnrolled = 8;

struct Layout {
  unsigned stride;     // bytes from lane to lane
  unsigned request;    // bytes from request to request; a power of two
  std::uint64_t span;  // bytes of the array; a power of two
};

enum class Kind { kLoadL1, kLoadL2, kStore };

template <typename T>
__device__ unsigned FoldOf(T value) {
  if constexpr (sizeof(T) == 16) {
    return value.x + value.y + value.z + value.w;
  } else if constexpr (sizeof(T) == 8) {
    return value.x + value.y;
  } else {
    return value;
  }
}

template <typename T>
__device__ T ValueOf(unsigned value) {
  if constexpr (sizeof(T) == 16) {
    return T{value, value, value, value};
  } else if constexpr (sizeof(T) == 8) {
    return T{value, value};
  } else {
    return static_cast<T>(value);
  }
}

// Every warp makes `requests` requests. With a private table all warps take the same places.
template <typename T, Kind kKind>
__global__ void Ask(char* array, Layout layout, unsigned requests, bool shared_table,
                    unsigned* out) {
  const unsigned lane = threadIdx.x % kLanes;
  const std::uint64_t warps = std::uint64_t{gridDim.x} * blockDim.x / kLanes;
  const std::uint64_t warp = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / kLanes;
  const std::uint64_t step = (shared_table ? 1 : warps) * layout.request;
  std::uint64_t at = (shared_table ? threadIdx.x / kLanes : warp) * layout.request;
  unsigned sum = 0;
  for (unsigned k = 0; k < requests; k += kUnrolled) {
    T values[kUnrolled];
#pragma unroll
    for (unsigned u = 0; u < kUnrolled; ++u) {
      T* place = reinterpret_cast<T*>(array + (at & (layout.span - 1)) + lane * layout.stride);
      if constexpr (kKind == Kind::kLoadL1) values[u] = __ldca(place);
      if constexpr (kKind == Kind::kLoadL2) values[u] = __ldcg(place);
      if constexpr (kKind == Kind::kStore) *place = ValueOf<T>(k + u);
      at += step;
    }
    if constexpr (kKind != Kind::kStore) {
#pragma unroll
      for (unsigned u = 0; u < kUnrolled; ++u) sum += FoldOf(values[u]);
    }
  }
  if (sum == 0x9e3779b9U) out[0] = sum;
}

// As many elements to a thread as `kEach`, each read and written once, a grid apart.
template <unsigned kEach>
__global__ void Copy(const unsigned* in, unsigned* out) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned values[kEach];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) values[k] = in[k * threads + t];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) out[k * threads + t] = values[k];
}

struct Device {
  unsigned multiprocessors = 0;
  double hertz = 0;
  samples::DeviceArray<char>* array = nullptr;
  samples::DeviceArray<unsigned>* out = nullptr;
};

template <typename T, Kind kKind>
void Row(const Device& device, const char* path, unsigned stride, std::uint64_t span,
         unsigned requests) {
  unsigned request = 128;
  while (request < stride * (kLanes - 1) + sizeof(T)) request *= 2;
  const Layout layout{stride, request, span};
  const bool shared = kKind == Kind::kLoadL1;
  const unsigned blocks = device.multiprocessors * 2;
  const samples::Timing timing = samples::Measure(7, [&] {
    Ask<T, kKind>
        <<<blocks, kBlock>>>(device.array->data(), layout, requests, shared, device.out->data());
  });
  const unsigned reach = stride * (kLanes - 1) + sizeof(T);
  const unsigned sectors = stride < 32 ? (reach + 31) / 32 : kLanes;
  const unsigned lines = stride < 128 ? (reach + 127) / 128 : kLanes;
  const double all = double{kBlock / kLanes} * blocks * requests;
  const double seconds = timing.median_ms * 1e-3;
  std::printf("%s,%s,%zu,%u,%u,%u,%.3f,%.1f,\n", path, kKind == Kind::kStore ? "store" : "load",
              sizeof(T), stride, sectors, lines,
              seconds * device.hertz * device.multiprocessors / all,
              all * sectors * 32 / seconds * 1e-9);
}

template <typename T, Kind kKind>
void Rows(const Device& device, const char* path, std::uint64_t span, unsigned requests) {
  for (const unsigned stride : {0U, 4U, 8U, 16U, 32U, 64U, 128U}) {
    if (stride != 0 && stride < sizeof(T)) continue;
    Row<T, kKind>(device, path, stride, span, requests);
  }
}

template <unsigned kEach>
void CopyRow(const Device& device, const char* path, unsigned elements) {
  constexpr unsigned kThreads = 256;
  const auto* in = reinterpret_cast<const unsigned*>(device.array->data());
  auto* out = reinterpret_cast<unsigned*>(device.array->data() + device.array->size() / 2);
  const samples::Timing timing =
      samples::Measure(7, [&] { Copy<kEach><<<elements / kEach / kThreads, kThreads>>>(in, out); });
  const double seconds = timing.median_ms * 1e-3;
  const double warps = elements / kEach / kLanes;
  std::printf("%s,copy,4,4,4,1,%.3f,%.1f,%u\n", path,
              seconds * device.hertz * device.multiprocessors / (warps * kEach),
              elements * 8.0 / seconds * 1e-9, kEach);
}

}  // namespace

int main() {
  int multiprocessors = 0;
  int kilohertz = 0;
  Check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  Check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  constexpr std::uint64_t kOfL1 = 16 << 10;
  constexpr std::uint64_t kOfL2 = 16 << 20;
  constexpr std::uint64_t kOfMemory = std::uint64_t{4} << 30;
  samples::DeviceArray<char> array(kOfMemory);
  samples::DeviceArray<unsigned> out(1);
  const Device device{static_cast<unsigned>(multiprocessors), kilohertz * 1e3, &array, &out};
  std::printf(
      "path,operation,bytes,stride,sectors,lines,cycles_per_request,gb_per_s,elements_per_"
      "thread\n");
  Rows<std::uint8_t, Kind::kLoadL1>(device, "l1", kOfL1, 1024);
  Rows<unsigned, Kind::kLoadL1>(device, "l1", kOfL1, 1024);
  Rows<uint2, Kind::kLoadL1>(device, "l1", kOfL1, 1024);
  Rows<uint4, Kind::kLoadL1>(device, "l1", kOfL1, 1024);
  Rows<unsigned, Kind::kLoadL2>(device, "l2", kOfL2, 512);
  Rows<uint4, Kind::kLoadL2>(device, "l2", kOfL2, 512);
  Rows<std::uint8_t, Kind::kStore>(device, "l2", kOfL2, 512);
  Rows<unsigned, Kind::kStore>(device, "l2", kOfL2, 512);
  Rows<uint4, Kind::kStore>(device, "l2", kOfL2, 512);
  Rows<unsigned, Kind::kLoadL2>(device, "memory", kOfMemory, 128);
  Rows<unsigned, Kind::kStore>(device, "memory", kOfMemory, 128);
  CopyRow<1>(device, "memory", 1U << 28U);
  CopyRow<2>(device, "memory", 1U << 28U);
  CopyRow<4>(device, "memory", 1U << 28U);
  CopyRow<8>(device, "memory", 1U << 28U);
  CopyRow<1>(device, "memory", 1U << 24U);
  CopyRow<4>(device, "memory", 1U << 24U);
  CopyRow<1>(device, "l2", 1U << 21U);
  CopyRow<4>(device, "l2", 1U << 21U);
  return 0;
}
