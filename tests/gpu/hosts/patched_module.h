// SPDX-License-Identifier: Apache-2.0
//
// As many different modules as a host wants: one is assembled by the driver for the device at hand,
// and a constant and the kernel's name are patched in its image.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "host.h"

namespace hosts {

inline constexpr std::uint32_t kMarker = 0x5eed1234;
inline constexpr char kMarkerName[] = "kernel_00000";
inline constexpr char kModulePtx[] = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry kernel_00000(.param .u64 out) {
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  mov.u32 %r2, 0x5eed1234;
  st.global.u32 [%rd4], %r2;
  ret;
}
)";

class PatchedModules {
 public:
  PatchedModules() {
    Check(cudaFree(nullptr), "start");  // the linker wants a context
    CUlinkState link = nullptr;
    Check(HOSTS_DRIVER(cuLinkCreate)(0, nullptr, nullptr, &link), "cuLinkCreate");
    std::string ptx = kModulePtx;
    Check(HOSTS_DRIVER(cuLinkAddData)(link, CU_JIT_INPUT_PTX, ptx.data(), ptx.size() + 1, "ptx", 0,
                                      nullptr, nullptr),
          "cuLinkAddData");
    void* cubin = nullptr;
    std::size_t size = 0;
    Check(HOSTS_DRIVER(cuLinkComplete)(link, &cubin, &size), "cuLinkComplete");
    image_.assign(static_cast<char*>(cubin), static_cast<char*>(cubin) + size);
    Check(HOSTS_DRIVER(cuLinkDestroy)(link), "cuLinkDestroy");
  }

  // The image whose kernel writes `value`, under its own name if `rename`.
  std::vector<char> Image(std::uint32_t value, int rename = 0) const {
    std::vector<char> image = image_;
    const std::string marker(reinterpret_cast<const char*>(&kMarker), sizeof kMarker);
    Replace(image, marker, std::string(reinterpret_cast<const char*>(&value), sizeof value));
    Replace(image, kMarkerName, Name(rename));
    return image;
  }

  static std::string Name(int rename) {
    char name[sizeof kMarkerName];
    std::snprintf(name, sizeof name, "kernel_%05u", static_cast<unsigned>(rename) % 100000U);
    return name;
  }

 private:
  static void Replace(std::vector<char>& image, const std::string& from, const std::string& to) {
    bool found = false;
    for (auto at = image.begin();;) {
      at = std::search(at, image.end(), from.begin(), from.end());
      if (at == image.end()) break;
      at = std::copy(to.begin(), to.end(), at);
      found = true;
    }
    if (!found) Fail("patching", "the mark is not in the module's image");
  }

  std::vector<char> image_;
};

// Loads, launches and unloads; 32 values of the kernel's own go into `sum`.
class ModuleRunner {
 public:
  ModuleRunner() {
    Check(cudaMalloc(&out_, 32 * sizeof(std::uint32_t)), "cudaMalloc");
    Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }

  void Run(const std::vector<char>& image, const std::string& kernel, Checksum& sum) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    Check(load_(&module, image.data()), "cuModuleLoadData");
    Check(find_(&function, module, kernel.c_str()), "cuModuleGetFunction");
    void* arguments[] = {&out_};
    Check(launch_(function, 1, 1, 1, 32, 1, 1, 0, stream_, arguments, nullptr), "cuLaunchKernel");
    std::uint32_t values[32] = {};
    Check(cudaMemcpyAsync(values, out_, sizeof values, cudaMemcpyDeviceToHost, stream_), "copy");
    Check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    Check(unload_(module), "cuModuleUnload");
    sum.Add(values);
  }

 private:
  decltype(&cuModuleLoadData) load_ = HOSTS_DRIVER(cuModuleLoadData);
  decltype(&cuModuleGetFunction) find_ = HOSTS_DRIVER(cuModuleGetFunction);
  decltype(&cuLaunchKernel) launch_ = HOSTS_DRIVER(cuLaunchKernel);
  decltype(&cuModuleUnload) unload_ = HOSTS_DRIVER(cuModuleUnload);
  std::uint32_t* out_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace hosts
