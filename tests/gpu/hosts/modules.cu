// SPDX-License-Identifier: Apache-2.0
//
// Modules in a loop, each different from the others: patched images, and NVRTC's.
#include "library.h"
#include "patched_module.h"

#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define HOSTS_HAS_NVRTC 1
#endif

namespace {

using hosts::Arguments;
using hosts::Checksum;

// `modules` modules, loaded, launched once and unloaded; with names of their own the kernels are
// all different. After the first tenth nothing should be kept of any of them.
void Loop(const char* name, int modules, bool own_names) {
  const hosts::PatchedModules images;
  hosts::ModuleRunner runner;
  Checksum sum;
  long start = 0;
  for (int i = 0; i < modules; ++i) {
    const int rename = own_names ? i : 0;
    runner.Run(images.Image(0x10000U + i, rename), hosts::PatchedModules::Name(rename), sum);
    if (i == modules / 10) start = hosts::ResidentKb();
  }
  std::fprintf(stderr, "resident KB: start %ld end %ld\n", start, hosts::ResidentKb());
  hosts::Print(name, sum);
}

void Patched(const Arguments& arguments) {
  Loop("patched", static_cast<int>(hosts::NumberOr(arguments, 0, 10000)), false);
}

void Named(const Arguments& arguments) {
  Loop("named", static_cast<int>(hosts::NumberOr(arguments, 0, 300)), true);
}

void Nvrtc(const Arguments& arguments) {
#ifdef HOSTS_HAS_NVRTC
  const hosts::Library nvrtc({"libnvrtc.so.13", "libnvrtc.so.12"});
  const auto create = nvrtc.Find<decltype(&nvrtcCreateProgram)>("nvrtcCreateProgram");
  const auto compile = nvrtc.Find<decltype(&nvrtcCompileProgram)>("nvrtcCompileProgram");
  const auto size_of = nvrtc.Find<decltype(&nvrtcGetPTXSize)>("nvrtcGetPTXSize");
  const auto get = nvrtc.Find<decltype(&nvrtcGetPTX)>("nvrtcGetPTX");
  const auto destroy = nvrtc.Find<decltype(&nvrtcDestroyProgram)>("nvrtcDestroyProgram");
  hosts::ModuleRunner runner;
  Checksum sum;
  for (long i = 0; i < hosts::NumberOr(arguments, 0, 20); ++i) {
    const std::string source =
        "extern \"C\" __global__ void compiled(unsigned* out) { out[threadIdx.x] = threadIdx.x * " +
        std::to_string(i) + "; }\n";
    const char* options[] = {"-lineinfo"};
    nvrtcProgram program = nullptr;
    std::size_t size = 0;
    if (create(&program, source.c_str(), "compiled.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS ||
        compile(program, 1, options) != NVRTC_SUCCESS || size_of(program, &size) != NVRTC_SUCCESS) {
      hosts::Fail("nvrtc", "it does not compile");
    }
    std::vector<char> ptx(size);
    if (get(program, ptx.data()) != NVRTC_SUCCESS) hosts::Fail("nvrtc", "no PTX");
    destroy(&program);
    runner.Run(ptx, "compiled", sum);
  }
  hosts::Print("nvrtc", sum);
#else
  (void)arguments;
  hosts::Skip("built without NVRTC's header");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv, {{"patched", Patched}, {"named", Named}, {"nvrtc", Nvrtc}});
}
