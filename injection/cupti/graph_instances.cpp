// SPDX-License-Identifier: Apache-2.0
//
// Instances of graphs that are launched in place of the application's own. A call of the driver
// takes its parameters from where CUPTI shows them, when the callback has returned: what was
// written there is launched (measured with driver 580). Nobody promises that, so it is tried first,
// with a call that only asks.
#include <atomic>

#include "injection/agent/base/thread_state.h"
#include "injection/cupti/driver_calls.h"
#include "injection/cupti/driver_device.h"

namespace coalcheck::cupti {
namespace {

enum class Substitutes { kUnknown, kYes, kNo };
std::atomic<Substitutes> substitutes{Substitutes::kUnknown};

}  // namespace

void DriverDevice::LoadInstances(void* library) {
  Instances found;
  const bool complete = Load(library, "cuGraphClone", found.clone) &&
                        Load(library, "cuGraphDestroy", found.destroy) &&
                        Load(library, "cuGraphInstantiateWithFlags", found.instantiate) &&
                        Load(library, "cuGraphExecDestroy", found.exec_destroy) &&
                        Load(library, "cuGraphExecGetFlags", found.exec_get_flags);
  if (complete) instances_ = found;
}

bool DriverDevice::CanSubstitute() const {
  return instances_.clone != nullptr && substitutes != Substitutes::kNo;
}

template <typename Call>
CUresult DriverDevice::BesideCaptures(const Call& call) const {
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  thread_exchange_capture_mode_(&mode);
  const CUresult result = call();
  thread_exchange_capture_mode_(&mode);
  return result;
}

std::optional<agent::GraphHandle> DriverDevice::CopyGraph(agent::GraphHandle graph) {
  CUgraph copy = nullptr;
  const CUresult result = BesideCaptures([&] { return instances_.clone(&copy, ToCuda(graph)); });
  if (result != CUDA_SUCCESS || copy == nullptr) return std::nullopt;
  return agent::GraphHandle(reinterpret_cast<std::uintptr_t>(copy));
}

void DriverDevice::DestroyGraph(agent::GraphHandle copy) {
  BesideCaptures([&] { return instances_.destroy(ToCuda(copy)); });
}

// Asks for the flags of no graph at all: that succeeds only where the callback's word counts.
bool DriverDevice::TriesToSubstitute(CUgraphExec exec) const {
  cuuint64_t flags = 0;
  agent::ThisThread().asked_instead =
      agent::GraphExecHandle(reinterpret_cast<std::uintptr_t>(exec));
  const CUresult result = instances_.exec_get_flags(nullptr, &flags);
  agent::ThisThread().asked_instead = agent::GraphExecHandle(0);
  substitutes = result == CUDA_SUCCESS ? Substitutes::kYes : Substitutes::kNo;
  return result == CUDA_SUCCESS;
}

std::optional<agent::GraphExecHandle> DriverDevice::MakeInstance(agent::GraphHandle copy) {
  if (!CanSubstitute()) return std::nullopt;
  CUgraphExec exec = nullptr;
  const CUresult result =
      BesideCaptures([&] { return instances_.instantiate(&exec, ToCuda(copy), 0); });
  if (result != CUDA_SUCCESS || exec == nullptr) return std::nullopt;
  const agent::GraphExecHandle instance(reinterpret_cast<std::uintptr_t>(exec));
  if (substitutes == Substitutes::kYes || TriesToSubstitute(exec)) return instance;
  DestroyInstance(instance);
  return std::nullopt;
}

void DriverDevice::DestroyInstance(agent::GraphExecHandle exec) {
  BesideCaptures([&] { return instances_.exec_destroy(ToCuda(exec)); });
}

}  // namespace coalcheck::cupti
