// SPDX-License-Identifier: Apache-2.0
//
// What all hosts share: a small kernel, arrays to run it on, checksums, and a choice of cases.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace hosts {

constexpr int kFloats = 32768;
inline const dim3 kGrid(kFloats / 256);
inline const dim3 kBlock(256);
constexpr int kCannotRunHere = 77;

[[noreturn]] inline void Fail(const char* what, const char* why) {
  std::fprintf(stderr, "%s: %s\n", what, why);
  std::exit(1);
}

// The host cannot do its part on this machine, for a reason that has nothing to do with coalcheck.
[[noreturn]] inline void Skip(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(kCannotRunHere);
}

inline void Check(cudaError_t result, const char* what) {
  if (result != cudaSuccess) Fail(what, cudaGetErrorString(result));
}

inline void Check(CUresult result, const char* what) {
  if (result != CUDA_SUCCESS) Fail(what, ("driver error " + std::to_string(result)).c_str());
}

// A function of the driver's own interface, without linking libcuda.
template <typename Function>
Function Driver(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  Check(cudaGetDriverEntryPointByVersion(name, &found, CUDART_VERSION, cudaEnableDefault, &status),
        name);
  if (found == nullptr || status != cudaDriverEntryPointSuccess) Fail(name, "not in this driver");
  return reinterpret_cast<Function>(found);
}
#define HOSTS_DRIVER(name) hosts::Driver<decltype(&name)>(#name)

// Enough devices for this case, or it cannot run here.
inline void NeedDevices(int wanted) {
  int found = 0;
  if (const cudaError_t result = cudaGetDeviceCount(&found); result != cudaSuccess) {
    Skip(std::string("no GPU here: ") + cudaGetErrorString(result));
  }
  if (found < wanted) Skip("needs " + std::to_string(wanted) + " GPUs");
}

// out = in + step: right only if each launch ran once, in order.
template <int kStep>
__global__ void add(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + static_cast<float>(kStep);
}

// FNV-1a over everything that was printed: what the program computed, in one number.
class Checksum {
 public:
  void Add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 1099511628211ULL;
  }
  template <typename T>
  void Add(const T& value) {
    Add(&value, sizeof value);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

// Two device arrays, the first holding 0, 1, 2, …, and a stream of their own.
struct Arrays {
  float* in = nullptr;
  float* out = nullptr;
  cudaStream_t stream = nullptr;

  Arrays() {
    std::vector<float> host(kFloats);
    for (int i = 0; i < kFloats; ++i) host[i] = static_cast<float>(i);
    Check(cudaMalloc(&in, kFloats * sizeof(float)), "cudaMalloc");
    Check(cudaMalloc(&out, kFloats * sizeof(float)), "cudaMalloc");
    Check(cudaMemcpy(in, host.data(), kFloats * sizeof(float), cudaMemcpyHostToDevice), "copy");
    Check(cudaMemset(out, 0, kFloats * sizeof(float)), "cudaMemset");
    Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  template <int kStep>
  void Add(int launches = 1) {
    for (int i = 0; i < launches; ++i) {
      add<kStep><<<kGrid, kBlock, 0, stream>>>(i == 0 ? in : out, out);
      Check(cudaGetLastError(), "launch");
    }
  }

  // Waits for the stream and adds what lies in `out`.
  void AddTo(Checksum& sum) const {
    std::vector<float> host(kFloats);
    Check(
        cudaMemcpyAsync(host.data(), out, kFloats * sizeof(float), cudaMemcpyDeviceToHost, stream),
        "copy");
    Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    sum.Add(host.data(), kFloats * sizeof(float));
  }
};

// Loads the function now: CUDA's lazy loading waits for running kernels, with coalcheck or without.
template <typename Kernel>
void LoadNow(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  Check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)), "load");
}

inline void Print(const std::string& what, const Checksum& sum) {
  std::printf("%s %016llx\n", what.c_str(), static_cast<unsigned long long>(sum.value()));
}

// Resident memory of this process, in KB; 0 where it cannot be read.
inline long ResidentKb() {
  long kb = 0;
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    for (char line[256]; std::fgets(line, sizeof line, file) != nullptr;) {
      if (std::sscanf(line, "VmRSS: %ld kB", &kb) == 1) break;
    }
    std::fclose(file);
  }
  return kb;
}

// A case, given the arguments behind its name.
using Arguments = std::vector<std::string>;
using Cases = std::map<std::string, std::function<void(const Arguments&)>>;

inline long NumberOr(const Arguments& arguments, std::size_t index, long fallback) {
  return index < arguments.size() ? std::strtol(arguments[index].c_str(), nullptr, 10) : fallback;
}

inline int RunCase(int argc, char** argv, const Cases& cases) {
  const auto found = argc >= 2 ? cases.find(argv[1]) : cases.end();
  if (found == cases.end()) {
    std::fprintf(stderr, "usage: %s CASE [ARGUMENT…], CASE one of:", argv[0]);
    for (const auto& [name, run] : cases) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  found->second(Arguments(argv + 2, argv + argc));
  return 0;
}

}  // namespace hosts
