// SPDX-License-Identifier: Apache-2.0
//
// Launches in NVTX ranges, between cudaProfilerStart and -Stop, and in regions of coalcheck.h.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <filesystem>

#include "include/coalcheck.h"
#include "library.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

nvtxEventAttributes_t Named(const char* name) {
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = name;
  return event;
}

void Finish(const char* name, const Arrays& a) {
  Checksum sum;
  a.AddTo(sum);
  hosts::Print(name, sum);
}

// 60 launches outside of `step`, 20 in it; all in `the whole`, of the same domain.
void Pushed(const Arguments&) {
  Arrays a;
  nvtxDomainHandle_t domain = nvtxDomainCreateA("host");
  const nvtxEventAttributes_t whole = Named("the whole");
  const nvtxEventAttributes_t step = Named("step");
  nvtxDomainRangePushEx(domain, &whole);
  for (int i = 0; i < 10; ++i) {
    a.Add<1>(6);
    nvtxDomainRangePushEx(domain, &step);
    a.Add<1>(2);
    nvtxDomainRangePop(domain);
  }
  nvtxDomainRangePop(domain);
  Finish("pushed", a);
}

// The range is there before anything of CUDA's is.
void BeforeCuda(const Arguments&) {
  const nvtxRangeId_t range = nvtxRangeStartA("early");
  Arrays a;
  a.Add<1>(5);
  nvtxRangeEnd(range);
  a.Add<1>(5);
  Finish("before_cuda", a);
}

// Two kernels captured in `capture`, launched five times in `launching`.
void Captured(const Arguments&) {
  Arrays a;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  Check(cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  nvtxRangePushA("capture");
  a.Add<1>(2);
  nvtxRangePop();
  Check(cudaStreamEndCapture(a.stream, &graph), "cudaStreamEndCapture");
  nvtxRangePushA("launching");
  Check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  Check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  for (int i = 0; i < 5; ++i) Check(cudaGraphLaunch(executable, a.stream), "cudaGraphLaunch");
  nvtxRangePop();
  Finish("captured", a);
}

// Two shared objects, each with NVTX of its own, loaded when CUDA has started: 2 launches in the
// range of the first, 3 in that of the second, which lies in the first's.
void Plugins(const Arguments&) {
  using InRange = void (*)(const char*, void (*)(void*), void*);
  static Arrays a;
  const auto load = [](const char* name) {
    const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    return hosts::Library({(here / name).c_str()}).Find<InRange>("InRange");
  };
  const InRange first = load("libranges_plugin_1.so");
  static const InRange second = load("libranges_plugin_2.so");
  first(
      "first",
      [](void*) {
        a.Add<1>(2);
        second(
            "second", [](void*) { a.Add<1>(3); }, nullptr);
      },
      nullptr);
  Finish("plugins", a);
}

// 10 launches, 7 between start and stop, 5 after it.
void Profiler(const Arguments&) {
  Arrays a;
  a.Add<1>(10);
  Check(cudaProfilerStart(), "cudaProfilerStart");
  a.Add<1>(7);
  Check(cudaProfilerStop(), "cudaProfilerStop");
  a.Add<1>(5);
  Finish("profiler", a);
}

// 5 launches outside of a region, 10 in one, 5 while checking is off.
void CInterface(const Arguments&) {
  Arrays a;
  a.Add<1>(5);
  coalcheck_push("region");
  a.Add<1>(10);
  coalcheck_pop();
  coalcheck_flush();
  coalcheck_stop();
  a.Add<1>(5);
  coalcheck_start();
  Finish("c_interface", a);
}

}  // namespace

int main(int argc, char** argv) {
  // Not yet NeedDevices, which starts CUDA.
  if (argc < 2 || std::string(argv[1]) != "before_cuda") hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv,
                        {{"pushed", Pushed},
                         {"before_cuda", BeforeCuda},
                         {"captured", Captured},
                         {"plugins", Plugins},
                         {"profiler", Profiler},
                         {"c_interface", CInterface}});
}
