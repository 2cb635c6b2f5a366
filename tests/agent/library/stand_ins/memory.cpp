// SPDX-License-Identifier: Apache-2.0
//
// What the doctor's self-test needs of libcuda.so.1 besides: memory, which is the host's, and its
// two kernels, done by hand. STAND_IN_JIT: the cubin that any PTX is compiled to.
// STAND_IN_MISBEHAVE: hang, crash or wrong-result, at a launch; hang-early, crash-early, in cuInit.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "libcoalcheck/doctor/kernels.h"
#include "tests/agent/library/stand_ins/stand_in.h"

#define STAND_IN extern "C" __attribute__((visibility("default")))

namespace coalcheck::stand_in {

void Misbehave(std::string_view when) {
  const char* how = std::getenv("STAND_IN_MISBEHAVE");
  if (how == nullptr) return;
  if (how == "hang" + std::string(when)) sleep(600);
  if (how == "crash" + std::string(when)) std::raise(SIGSEGV);
}

const std::string& CompiledPtx() {
  static auto* image = [] {
    const char* path = std::getenv("STAND_IN_JIT");
    std::ifstream file(path == nullptr ? "" : path, std::ios::binary);
    return new std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }();
  return *image;
}

void Emulate(const std::string& kernel, void** arguments) {
  const bool strided = kernel == doctor::kStridedKernel;
  if (!strided && kernel != doctor::kCoalescedKernel) return;
  Misbehave("");
  const auto* in = *static_cast<const float**>(arguments[0]);
  auto* out = *static_cast<float**>(arguments[1]);
  for (std::size_t i = 0; i < doctor::kThreads; ++i) {
    out[i] = in[strided ? i * doctor::kStride : i];
  }
  const char* how = std::getenv("STAND_IN_MISBEHAVE");
  if (how != nullptr && std::string_view(how) == "wrong-result") out[7] = 0;
}

}  // namespace coalcheck::stand_in

STAND_IN CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuGetErrorName(CUresult, const char** name) {
  *name = "CUDA_ERROR_OF_THE_TEST";
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice device) {
  return cuCtxCreate(context, nullptr, 0, device);
}
STAND_IN CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
STAND_IN CUresult cuMemAlloc(CUdeviceptr* address, std::size_t size) {
  *address = reinterpret_cast<CUdeviceptr>(std::calloc(1, size));
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t size) {
  std::memcpy(reinterpret_cast<void*>(to), from, size);
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t size) {
  std::memcpy(to, reinterpret_cast<const void*>(from), size);
  return CUDA_SUCCESS;
}
