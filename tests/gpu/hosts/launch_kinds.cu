// SPDX-License-Identifier: Apache-2.0
//
// A host that launches one small copy kernel in the way its argument names, and checks the result.
// Every launch of the kernel makes 1024 load and 1024 store requests of 4 sectors each, so that a
// test can tell from a recording whether each counted launch was counted exactly once.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kFloats = 32768;
constexpr dim3 kGrid(kFloats / 256);
constexpr dim3 kBlock(256);

void Check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
  std::exit(1);
}

}  // namespace

extern "C" __global__ void copy_floats(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

extern "C" __global__ void copy_again(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

extern "C" __global__ void copy_together(const float* in, float* out) {
  cooperative_groups::this_grid().sync();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

// Block 0 waits until the host sets `flag`; the loads of the flag are counted too.
extern "C" __global__ void copy_when_told(const float* in, float* out, volatile int* flag) {
  if (threadIdx.x == 0) {
    while (*flag == 0) __nanosleep(1000);
  }
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

namespace {

// Two device arrays and the stream they are used in.
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
    Check(cudaMemset(out, 0xff, kFloats * sizeof(float)), "cudaMemset");
    Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void Verify() const {
    Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    std::vector<float> host(kFloats);
    Check(cudaMemcpy(host.data(), out, kFloats * sizeof(float), cudaMemcpyDeviceToHost), "copy");
    for (int i = 0; i < kFloats; ++i) {
      if (host[i] != static_cast<float>(i)) {
        std::fprintf(stderr, "out[%d] is %g\n", i, static_cast<double>(host[i]));
        std::exit(1);
      }
    }
  }
};

void Plain() {
  Arrays a;
  for (int i = 0; i < 10; ++i) copy_floats<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  a.Verify();
}

void DefaultStream() {
  Arrays a;
  for (int i = 0; i < 10; ++i) copy_floats<<<kGrid, kBlock>>>(a.in, a.out);
  Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  a.Verify();
}

void Extended() {
  Arrays a;
  cudaLaunchConfig_t config{};
  config.gridDim = kGrid;
  config.blockDim = kBlock;
  config.stream = a.stream;
  for (int i = 0; i < 10; ++i) {
    Check(cudaLaunchKernelEx(&config, copy_floats, static_cast<const float*>(a.in), a.out),
          "launch");
  }
  a.Verify();
}

void Cooperative() {
  Arrays a;
  const float* in = a.in;
  void* arguments[] = {&in, &a.out};
  for (int i = 0; i < 10; ++i) {
    Check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(copy_together), kGrid, kBlock,
                                      arguments, 0, a.stream),
          "cudaLaunchCooperativeKernel");
  }
  a.Verify();
}

// Two kernels captured into one graph, launched five times.
void Graph() {
  Arrays a;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  Check(cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeGlobal), "begin capture");
  copy_floats<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  copy_again<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  Check(cudaStreamEndCapture(a.stream, &graph), "end capture");
  Check(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  for (int i = 0; i < 5; ++i) Check(cudaGraphLaunch(exec, a.stream), "graph launch");
  a.Verify();
}

// The kernels run once before the capture, as PyTorch asks for.
void GraphAfterWarmUp() {
  Arrays a;
  copy_floats<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  copy_again<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  Check(cudaStreamSynchronize(a.stream), "cudaStreamSynchronize");
  Graph();
}

void Threads() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([] {
      Arrays a;
      for (int i = 0; i < 200; ++i) {
        copy_floats<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
        copy_again<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
      }
      a.Verify();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The kernel ends only after the host has gone on.
void HostFlag() {
  Arrays a;
  int* flag = nullptr;
  Check(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
  *flag = 0;
  copy_when_told<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out, flag);
  Check(cudaGetLastError(), "launch");
  *const_cast<volatile int*>(flag) = 1;
  a.Verify();
  for (int i = 0; i < 5; ++i) copy_floats<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  a.Verify();
}

// Another stream is never idle while the copies run.
void NeverIdle() {
  Arrays a;
  Arrays b;
  int* flag = nullptr;
  Check(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
  *flag = 1;
  copy_when_told<<<kGrid, kBlock, 0, b.stream>>>(b.in, b.out, flag);  // loads the module
  copy_floats<<<dim3(1), dim3(32), 0, a.stream>>>(a.in, a.out);
  Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  *const_cast<volatile int*>(flag) = 0;
  copy_when_told<<<kGrid, kBlock, 0, b.stream>>>(b.in, b.out, flag);
  for (int i = 0; i < 100; ++i) copy_floats<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  a.Verify();
  *const_cast<volatile int*>(flag) = 1;
  b.Verify();
}

void BadLaunch() {
  Arrays a;
  copy_floats<<<kGrid, dim3(2048), 0, a.stream>>>(a.in, a.out);
  if (cudaGetLastError() == cudaSuccess) std::exit(1);
  copy_floats<<<kGrid, kBlock, 0, a.stream>>>(a.in, a.out);
  a.Verify();
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<void()>> kinds = {
      {"plain", Plain},          {"default_stream", DefaultStream},
      {"extended", Extended},    {"cooperative", Cooperative},
      {"graph", Graph},          {"graph_after_warm_up", GraphAfterWarmUp},
      {"threads", Threads},      {"host_flag", HostFlag},
      {"never_idle", NeverIdle}, {"probe", [] {}},
      {"bad_launch", BadLaunch},
  };
  const auto found = argc == 2 ? kinds.find(argv[1]) : kinds.end();
  if (found == kinds.end()) {
    std::fprintf(stderr, "usage: %s KIND, one of:", argv[0]);
    for (const auto& [name, run] : kinds) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  int devices = 0;
  if (const cudaError_t result = cudaGetDeviceCount(&devices); result != cudaSuccess) {
    std::fprintf(stderr, "no GPU here: %s\n", cudaGetErrorString(result));
    return 77;
  }
  found->second();
  std::printf("%s: right\n", argv[1]);
  return 0;
}
