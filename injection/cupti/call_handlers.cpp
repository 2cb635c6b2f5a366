// SPDX-License-Identifier: Apache-2.0
//
// Each driver function's parameters, read into plain values for the agent.
#include "injection/cupti/call_handlers.h"

#include <cuda.h>

#include <optional>

#include "injection/agent/base/thread_state.h"
#include "injection/cupti/driver_calls.h"
#include "injection/cupti/launch_calls.h"

namespace coalcheck::cupti {
namespace {

using agent::ContextHandle;
using agent::FunctionHandle;
using agent::GraphExecHandle;
using agent::GraphHandle;
using agent::LaunchSeen;
using agent::StreamHandle;

StreamHandle ToStream(CUstream stream, DefaultStream default_stream) {
  if (stream == nullptr) {
    stream = default_stream == DefaultStream::kPerThread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
  }
  return StreamHandle(reinterpret_cast<std::uintptr_t>(stream));
}

GraphExecHandle ToExec(CUgraphExec exec) {
  return GraphExecHandle(reinterpret_cast<std::uintptr_t>(exec));
}

// The driver takes its parameters from here when the callback has returned: see
// graph_instances.cpp.
template <typename Params>
Params& WriteInto(const HeardCall& call) {
  return const_cast<Params&>(ParamsOf<Params>(call.data));
}

GraphHandle ToGraph(CUgraph graph) { return GraphHandle(reinterpret_cast<std::uintptr_t>(graph)); }

bool IsExit(const HeardCall& call) { return call.data.callbackSite == CUPTI_API_EXIT; }

bool Succeeded(const HeardCall& call) {
  return call.data.functionReturnValue != nullptr &&
         *static_cast<const CUresult*>(call.data.functionReturnValue) == CUDA_SUCCESS;
}

ContextHandle ContextOf(const HeardCall& call) {
  return ContextHandle(reinterpret_cast<std::uintptr_t>(call.data.context));
}

void OnLaunch(const HeardCall& call, ReadCall read) {
  agent::LaunchTracker& launches = call.listener.agent.launches();
  const DriverCall made(call.listener.device.parameters(), call.data, read);
  if (IsExit(call)) return launches.End(Succeeded(call), &made);
  const CallOfLaunch launch = read(call.data);
  const LaunchSeen seen{FunctionHandle(reinterpret_cast<std::uintptr_t>(launch.function)),
                        call.data.symbolName == nullptr ? "" : call.data.symbolName,
                        launch.grid,
                        launch.block,
                        {},
                        &made};
  launches.Begin(ContextOf(call), ToStream(launch.stream, call.default_stream), seen);
}

// Every cuGraphInstantiate… begins with the same two parameters.
void Instantiate(const HeardCall& call, unsigned long long flags) {
  agent::GraphTracker& graphs = call.listener.agent.graphs();
  const auto& params = ParamsOf<cuGraphInstantiateWithFlags_params>(call.data);
  if (!IsExit(call)) {
    graphs.InstantiateBegins(
        ContextOf(call), ToGraph(params.hGraph),
        {.uploads = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0,
         .for_device = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0});
    return;
  }
  std::optional<GraphExecHandle> exec;
  if (Succeeded(call) && params.phGraphExec != nullptr) exec = ToExec(*params.phGraphExec);
  graphs.InstantiateEnds(exec);
}

// The executable graph that is the call's first parameter.
GraphExecHandle ExecOf(const HeardCall& call) {
  return ToExec(ParamsOf<cuGraphExecDestroy_params>(call.data).hGraphExec);
}

}  // namespace

void OnLaunchKernel(const HeardCall& call) { OnLaunch(call, &ReadLaunch<cuLaunchKernel_params>); }

void OnLaunchCooperative(const HeardCall& call) {
  OnLaunch(call, &ReadLaunch<cuLaunchCooperativeKernel_params>);
}

void OnLaunchEx(const HeardCall& call) { OnLaunch(call, &ReadLaunchEx); }

void OnBeginCapture(const HeardCall& call) {
  // Every cuStreamBeginCapture… begins with this parameter.
  const auto& params = ParamsOf<cuStreamBeginCapture_v2_params>(call.data);
  const StreamHandle stream = ToStream(params.hStream, call.default_stream);
  agent::CaptureTracker& captures = call.listener.agent.captures();
  if (IsExit(call)) {
    captures.Began(stream, Succeeded(call));
  } else {
    captures.Begins(ContextOf(call), stream);
  }
}

void OnEndCapture(const HeardCall& call) {
  if (!IsExit(call)) return;
  const auto& params = ParamsOf<cuStreamEndCapture_params>(call.data);
  const StreamHandle stream = ToStream(params.hStream, call.default_stream);
  const bool has_graph = params.phGraph != nullptr && *params.phGraph != nullptr;
  call.listener.agent.captures().Ended(stream, Succeeded(call) && has_graph);
}

void OnInstantiate(const HeardCall& call) { Instantiate(call, 0); }

void OnInstantiateWithFlags(const HeardCall& call) {
  Instantiate(call, ParamsOf<cuGraphInstantiateWithFlags_params>(call.data).flags);
}

void OnInstantiateWithParams(const HeardCall& call) {
  const auto* params = ParamsOf<cuGraphInstantiateWithParams_params>(call.data).instantiateParams;
  Instantiate(call, params == nullptr ? 0 : params->flags);
}

void OnGraphUpload(const HeardCall& call) {
  if (IsExit(call)) call.listener.agent.graphs().Uploaded(ExecOf(call));
}

void OnExecUpdate(const HeardCall& call) {
  if (IsExit(call) && Succeeded(call)) call.listener.agent.graphs().Updated(ExecOf(call));
}

void OnExecChange(const HeardCall& call) {
  if (IsExit(call) && Succeeded(call)) call.listener.agent.graphs().Changed(ExecOf(call));
}

// The agent's own call, which asks whether the driver takes substituted parameters.
void OnExecGetFlags(const HeardCall& call) {
  const GraphExecHandle instead = agent::ThisThread().asked_instead;
  if (IsExit(call) || instead == GraphExecHandle(0)) return;
  WriteInto<cuGraphExecGetFlags_params>(call).hGraphExec = ToCuda(instead);
}

void OnExecDestroy(const HeardCall& call) {
  if (!IsExit(call)) call.listener.agent.graphs().ExecDestroyed(ExecOf(call));
}

void OnGraphLaunch(const HeardCall& call) {
  agent::GraphTracker& graphs = call.listener.agent.graphs();
  if (IsExit(call)) return graphs.LaunchEnds(Succeeded(call));
  const auto& params = ParamsOf<cuGraphLaunch_params>(call.data);
  const GraphExecHandle asked = ToExec(params.hGraph);
  const GraphExecHandle launched =
      graphs.LaunchBegins(ContextOf(call), ToStream(params.hStream, call.default_stream), asked);
  if (launched != asked) WriteInto<cuGraphLaunch_params>(call).hGraph = ToCuda(launched);
}

void OnGraphDestroy(const HeardCall& call) {
  if (IsExit(call)) return;
  const auto& params = ParamsOf<cuGraphDestroy_params>(call.data);
  call.listener.agent.captures().GraphDestroyed(ToGraph(params.hGraph));
}

void OnProfilerStart(const HeardCall& call) {
  if (IsExit(call)) call.listener.agent.SwitchOn();
}

void OnProfilerStop(const HeardCall& call) {
  if (!IsExit(call)) call.listener.agent.SwitchOff();
}

void OnSynchronise(const HeardCall& call) {
  if (IsExit(call)) call.listener.agent.Synchronised(ContextOf(call));
}

void OnCodeChange(const HeardCall& call) {
  if (IsExit(call)) {
    call.listener.agent.CodeChangeEnds();
  } else {
    call.listener.agent.CodeChangeBegins(ContextOf(call));
  }
}

}  // namespace coalcheck::cupti
