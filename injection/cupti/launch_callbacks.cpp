// SPDX-License-Identifier: Apache-2.0
//
// Each driver function's parameters, read into plain values. A `_ptsz` twin is the same call with
// the thread's own default stream; its parameters have the same layout.
#include "injection/cupti/launch_callbacks.h"

#include <cuda.h>

#include "injection/cupti/code_callbacks.h"
#include "injection/cupti/launch_calls.h"

namespace coalcheck::cupti {
namespace {

using agent::Agent;
using agent::ContextHandle;
using agent::FunctionHandle;
using agent::GraphExecHandle;
using agent::GraphHandle;
using agent::LaunchSeen;
using agent::StreamHandle;

constexpr CUpti_CallbackId kLaunchCallbacks[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphUpload,
    CUPTI_DRIVER_TRACE_CBID_cuGraphUpload_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams,
    CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphDestroy,
    CUPTI_DRIVER_TRACE_CBID_cuProfilerStart,
    CUPTI_DRIVER_TRACE_CBID_cuProfilerStop,
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds,
};

// What stream 0 means to a call; both have explicit handles too.
CUstream DefaultStreamOf(CUpti_CallbackId id) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
      return CU_STREAM_PER_THREAD;
    default:
      return CU_STREAM_LEGACY;
  }
}

StreamHandle ToStream(CUstream stream, CUpti_CallbackId id) {
  return StreamHandle(
      reinterpret_cast<std::uintptr_t>(stream == nullptr ? DefaultStreamOf(id) : stream));
}

GraphExecHandle ToExec(CUgraphExec exec) {
  return GraphExecHandle(reinterpret_cast<std::uintptr_t>(exec));
}

GraphHandle ToGraph(CUgraph graph) { return GraphHandle(reinterpret_cast<std::uintptr_t>(graph)); }

bool IsExit(const CUpti_CallbackData& data) { return data.callbackSite == CUPTI_API_EXIT; }

bool Succeeded(const CUpti_CallbackData& data) {
  return data.functionReturnValue != nullptr &&
         *static_cast<const CUresult*>(data.functionReturnValue) == CUDA_SUCCESS;
}

ContextHandle ContextOf(const CUpti_CallbackData& data) {
  return ContextHandle(reinterpret_cast<std::uintptr_t>(data.context));
}

void OnLaunch(const Listener& listener, CUpti_CallbackId id, const CUpti_CallbackData& data,
              ReadCall read) {
  if (IsExit(data)) {
    const DriverCall call(listener.device.parameters(), data, read);
    listener.agent.launches().End(Succeeded(data), &call);
    return;
  }
  const CallOfLaunch launch = read(data);
  const LaunchSeen seen{FunctionHandle(reinterpret_cast<std::uintptr_t>(launch.function)),
                        data.symbolName == nullptr ? "" : data.symbolName, launch.grid,
                        launch.block};
  listener.agent.launches().Begin(ContextOf(data), ToStream(launch.stream, id), seen);
}

void OnBeginCapture(Agent& agent, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  // Every cuStreamBeginCapture… begins with this parameter.
  const auto& params = ParamsOf<cuStreamBeginCapture_v2_params>(data);
  const StreamHandle stream = ToStream(params.hStream, id);
  if (IsExit(data)) {
    agent.captures().Began(stream, Succeeded(data));
  } else {
    agent.captures().Begins(ContextOf(data), stream);
  }
}

void OnEndCapture(Agent& agent, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const auto& params = ParamsOf<cuStreamEndCapture_params>(data);
  const StreamHandle stream = ToStream(params.hStream, id);
  if (!IsExit(data)) return;
  const bool has_graph = params.phGraph != nullptr && *params.phGraph != nullptr;
  agent.captures().Ended(stream, Succeeded(data) && has_graph);
}

unsigned long long InstantiateFlags(CUpti_CallbackId id, const CUpti_CallbackData& data) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags:
      return ParamsOf<cuGraphInstantiateWithFlags_params>(data).flags;
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz: {
      const auto* params = ParamsOf<cuGraphInstantiateWithParams_params>(data).instantiateParams;
      return params == nullptr ? 0 : params->flags;
    }
    default:
      return 0;
  }
}

// Every cuGraphInstantiate… begins with these two parameters.
void OnInstantiate(Agent& agent, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const auto& params = ParamsOf<cuGraphInstantiateWithFlags_params>(data);
  if (!IsExit(data)) {
    const bool uploads = (InstantiateFlags(id, data) & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0;
    agent.graphs().InstantiateBegins(ContextOf(data), ToGraph(params.hGraph), uploads);
    return;
  }
  std::optional<GraphExecHandle> exec;
  if (Succeeded(data) && params.phGraphExec != nullptr) exec = ToExec(*params.phGraphExec);
  agent.graphs().InstantiateEnds(exec);
}

// Each of these calls begins with the executable graph.
void OnExec(Agent& agent, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const GraphExecHandle exec = ToExec(ParamsOf<cuGraphExecDestroy_params>(data).hGraphExec);
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuGraphUpload:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphUpload_ptsz:
      if (IsExit(data)) agent.graphs().Uploaded(exec);
      return;
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy:
      if (!IsExit(data)) agent.graphs().ExecDestroyed(exec);
      return;
    default:
      if (IsExit(data) && Succeeded(data)) agent.graphs().Updated(exec);
  }
}

void OnGraphLaunch(Agent& agent, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  if (IsExit(data)) {
    agent.graphs().LaunchEnds(Succeeded(data));
    return;
  }
  const auto& params = ParamsOf<cuGraphLaunch_params>(data);
  agent.graphs().LaunchBegins(ContextOf(data), ToStream(params.hStream, id), ToExec(params.hGraph));
}

void OnCodeChange(Agent& agent, const CUpti_CallbackData& data) {
  if (IsExit(data)) {
    agent.CodeChangeEnds();
  } else {
    agent.CodeChangeBegins(ContextOf(data));
  }
}

}  // namespace

std::span<const CUpti_CallbackId> DriverCallbacks() { return kLaunchCallbacks; }

void OnDriverCall(const Listener& listener, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  Agent& agent = listener.agent;
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
      return OnLaunch(listener, id, data, &ReadLaunch<cuLaunchKernel_params>);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return OnLaunch(listener, id, data, &ReadLaunch<cuLaunchCooperativeKernel_params>);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      return OnLaunch(listener, id, data, &ReadLaunchEx);
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz:
      return OnBeginCapture(agent, id, data);
    case CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz:
      return OnEndCapture(agent, id, data);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz:
      return OnInstantiate(agent, id, data);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphUpload:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphUpload_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy:
      return OnExec(agent, id, data);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
      return OnGraphLaunch(agent, id, data);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphDestroy:
      if (!IsExit(data))
        agent.captures().GraphDestroyed(ToGraph(ParamsOf<cuGraphDestroy_params>(data).hGraph));
      return;
    case CUPTI_DRIVER_TRACE_CBID_cuProfilerStart:
      if (IsExit(data)) agent.SwitchOn();
      return;
    case CUPTI_DRIVER_TRACE_CBID_cuProfilerStop:
      if (!IsExit(data)) agent.SwitchOff();
      return;
    default:
      if (MayChangeCode(id)) return OnCodeChange(agent, data);
      if (IsExit(data)) agent.Synchronised(ContextOf(data));
  }
}

}  // namespace coalcheck::cupti
