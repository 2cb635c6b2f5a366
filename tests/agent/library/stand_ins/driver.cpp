// SPDX-License-Identifier: Apache-2.0
//
// libcuda.so.1 for tests: one device, one context, one module, kernels that end at once.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tests/agent/library/stand_ins/stand_in.h"

// The names that the agent looks up, which cuda.h maps to newer ones.
#undef cuStreamGetCaptureInfo
#define STAND_IN extern "C" __attribute__((visibility("default")))

namespace coalcheck::stand_in {

int Number(const char* name, int fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::atoi(text);
}

State& StandInState() {
  static auto* state = new State;
  return *state;
}

namespace {

struct Node {
  std::string kernel;
  unsigned grid = 1;
  unsigned block = 1;
  std::uint64_t parameter = 0;
  void* pointers[1] = {};
};
struct Graph {
  std::deque<Node> nodes;
  std::uint64_t counting_since = 0;  // of an executable one: the counting it was instantiated in
};

CUcontext const kContext = reinterpret_cast<CUcontext>(0xc0);
CUcontext current = nullptr;
Graph* capture = nullptr;
CUstream capture_stream = nullptr;

void Resource(CUpti_CallbackId id, CUpti_ResourceData data) {
  State& state = StandInState();
  data.context = kContext;
  if (state.callback != nullptr) state.callback(state.user, CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

// One driver call as CUPTI shows it: entered, done, left.
template <typename Params, typename Act>
CUresult Call(CUpti_CallbackId id, const char* symbol, const Params& params, Act act) {
  State& state = StandInState();
  CUresult result = CUDA_SUCCESS;
  CUpti_CallbackData data{};
  data.context = current;
  data.symbolName = symbol;
  data.functionParams = &params;
  data.functionReturnValue = &result;
  data.callbackSite = CUPTI_API_ENTER;
  if (state.callback != nullptr) state.callback(state.user, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
  result = act();
  data.callbackSite = CUPTI_API_EXIT;
  if (state.callback != nullptr) state.callback(state.user, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
  return result;
}

}  // namespace
}  // namespace coalcheck::stand_in

using namespace coalcheck::stand_in;

STAND_IN CUresult cuInit(unsigned) {
  Misbehave("-early");
  const char* path = std::getenv("CUDA_INJECTION64_PATH");
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW);
  if (library == nullptr) return CUDA_SUCCESS;
  auto* initialize = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  for (int i = Number("STAND_IN_INITIALIZATIONS", 1); initialize != nullptr && i > 0; --i) {
    initialize();
  }
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
STAND_IN CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Stand-in GPU", static_cast<std::size_t>(size));
  return CUDA_SUCCESS;
}
#undef cuDeviceGetUuid  // which is another version's name in some headers
STAND_IN CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
  for (std::size_t i = 0; i < sizeof uuid->bytes; ++i) uuid->bytes[i] = static_cast<char>(i);
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return CUDA_SUCCESS;
}
// Of this process alone: tests run beside each other, and one GPU is sampled once.
STAND_IN CUresult cuDeviceGetPCIBusId(char* name, int size, CUdevice) {
  std::snprintf(name, static_cast<std::size_t>(size), "stand-in-%d", static_cast<int>(getpid()));
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = current;
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuCtxPushCurrent(CUcontext context) {
  current = context;
  return CUDA_SUCCESS;
}
STAND_IN CUresult cuCtxPopCurrent(CUcontext* context) {
  *context = current;
  current = nullptr;
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned, CUdevice) {
  *context = current = kContext;
  Resource(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, {});
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuCtxSynchronize() {
  return Call(CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, nullptr, 0, [] { return CUDA_SUCCESS; });
}

// `image` is PTX, or an ELF file in memory whose size the options tell.
STAND_IN CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*,
                                     void** options) {
  State& state = StandInState();
  CUpti_ModuleResourceData loaded{};
  loaded.pCubin = static_cast<const char*>(image);
  loaded.cubinSize = reinterpret_cast<std::size_t>(options[0]);
  if (loaded.pCubin[0] == '.') {
    loaded.pCubin = CompiledPtx().data();
    loaded.cubinSize = CompiledPtx().size();
  }
  if (state.crc_of != nullptr) state.crc_of(loaded.pCubin, loaded.cubinSize, &state.cubin_crc);
  CUpti_ResourceData data{};
  data.resourceDescriptor = &loaded;
  Resource(CUPTI_CBID_RESOURCE_MODULE_LOADED, data);
  *module = reinterpret_cast<CUmodule>(0xd0);
  return CUDA_SUCCESS;
}

// The functions of the module are their own names.
STAND_IN CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  *function = reinterpret_cast<CUfunction>(new std::string(name));
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, unsigned shared, CUstream stream,
                                 void** arguments, void** extra) {
  const std::string& name = *reinterpret_cast<std::string*>(f);
  const cuLaunchKernel_params params{f, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra};
  return Call(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, name.c_str(), params, [&] {
    State& state = StandInState();
    if (capture != nullptr && stream == capture_stream) {
      capture->nodes.push_back({name, gx, bx, *static_cast<std::uint64_t*>(arguments[0])});
    } else if (state.counting) {
      ++state.counted_launches[name];
    }
    Emulate(name, arguments);
    return CUDA_SUCCESS;
  });
}

STAND_IN CUresult cuStreamQuery(CUstream) { return CUDA_SUCCESS; }
STAND_IN CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode*) { return CUDA_SUCCESS; }
STAND_IN CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status,
                                            cuuint64_t* id, CUgraph*, const CUgraphNode**,
                                            std::size_t*) {
  const bool capturing = capture != nullptr && stream == capture_stream;
  *status = capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  if (id != nullptr) *id = 1;
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  const cuStreamBeginCapture_v2_params params{stream, mode};
  return Call(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, nullptr, params, [&] {
    capture = new Graph;
    capture_stream = stream;
    return CUDA_SUCCESS;
  });
}

STAND_IN CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  const cuStreamEndCapture_params params{stream, graph};
  return Call(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, nullptr, params, [&] {
    *graph = reinterpret_cast<CUgraph>(capture);
    capture = nullptr;
    return CUDA_SUCCESS;
  });
}

STAND_IN CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  auto& all = reinterpret_cast<Graph*>(graph)->nodes;
  for (std::size_t i = 0; nodes != nullptr && i < all.size(); ++i) {
    nodes[i] = reinterpret_cast<CUgraphNode>(&all[i]);
  }
  *count = all.size();
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuGraphNodeGetType(CUgraphNode, CUgraphNodeType* type) {
  *type = CU_GRAPH_NODE_TYPE_KERNEL;
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode, CUgraph*) {
  return CUDA_ERROR_INVALID_VALUE;
}

STAND_IN CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* params) {
  auto& own = *reinterpret_cast<Node*>(node);
  *params = {};
  params->func = reinterpret_cast<CUfunction>(&own.kernel);
  params->gridDimX = own.grid;
  params->blockDimX = own.block;
  own.pointers[0] = &own.parameter;
  params->kernelParams = own.pointers;
  params->gridDimY = params->gridDimZ = params->blockDimY = params->blockDimZ = 1;
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuFuncGetName(const char** name, CUfunction function) {
  *name = reinterpret_cast<std::string*>(function)->c_str();
  return CUDA_SUCCESS;
}

// Every kernel has one parameter, a pointer, behind a gap.
STAND_IN CUresult cuFuncGetParamInfo(CUfunction, std::size_t index, std::size_t* offset,
                                     std::size_t* size) {
  *offset = 8;
  *size = 8;
  return index == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
STAND_IN CUresult cuKernelGetParamInfo(CUkernel, std::size_t, std::size_t*, std::size_t*) {
  return CUDA_ERROR_INVALID_HANDLE;
}

STAND_IN CUresult cuKernelGetName(const char**, CUkernel) { return CUDA_ERROR_INVALID_VALUE; }

STAND_IN CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  const cuGraphInstantiateWithFlags_params params{exec, graph, flags};
  return Call(CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, nullptr, params, [&] {
    auto* made = new Graph(*reinterpret_cast<Graph*>(graph));
    made->counting_since = StandInState().counting ? StandInState().counting_since : 0;
    *exec = reinterpret_cast<CUgraphExec>(made);
    return CUDA_SUCCESS;
  });
}

STAND_IN CUresult cuGraphClone(CUgraph* copy, CUgraph graph) {
  *copy = reinterpret_cast<CUgraph>(new Graph(*reinterpret_cast<Graph*>(graph)));
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuGraphDestroy(CUgraph graph) {
  delete reinterpret_cast<Graph*>(graph);
  return CUDA_SUCCESS;
}

STAND_IN CUresult cuGraphExecDestroy(CUgraphExec exec) {
  const cuGraphExecDestroy_params params{exec};
  return Call(CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, nullptr, params, [&] {
    delete reinterpret_cast<Graph*>(exec);
    return CUDA_SUCCESS;
  });
}

// As in the driver, a call is about what its parameters say when the callback has returned; not so
// with STAND_IN_STUBBORN.
CUgraphExec Meant(CUgraphExec asked, const CUgraphExec& left) {
  return std::getenv("STAND_IN_STUBBORN") == nullptr ? left : asked;
}

STAND_IN CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  cuGraphExecGetFlags_params params{exec, flags};
  return Call(CUPTI_DRIVER_TRACE_CBID_cuGraphExecGetFlags, nullptr, params, [&] {
    *flags = 0;
    return Meant(exec, params.hGraphExec) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

STAND_IN CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  cuGraphLaunch_params params{exec, stream};
  return Call(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, nullptr, params, [&] {
    State& state = StandInState();
    const Graph& graph = *reinterpret_cast<Graph*>(Meant(exec, params.hGraph));
    if (state.counting && graph.counting_since == state.counting_since) {
      for (const Node& node : graph.nodes) ++state.counted_launches[node.kernel];
    }
    return CUDA_SUCCESS;
  });
}
