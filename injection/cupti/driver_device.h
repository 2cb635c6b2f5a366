// SPDX-License-Identifier: Apache-2.0
//
// The Device over the CUDA driver's own functions, taken from the libcuda that the process uses.
#pragma once

#include <cuda.h>

#include <optional>
#include <string>

#include "injection/agent/base/device.h"
#include "injection/cupti/parameter_reader.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::cupti {

class DriverDevice final : public agent::Device {
 public:
  // Error: libcuda is not in the process, or lacks a function.
  static Result<DriverDevice> Open();

  agent::StreamState Query(agent::ContextHandle context, agent::StreamHandle stream) override;
  bool IsCapturing(agent::StreamHandle stream) override;
  std::optional<agent::CapturedNode> LastCaptured(agent::StreamHandle stream) override;
  // Without its kernels, and with all its nodes unseen, before CUDA 12.3.
  agent::GraphContents ContentsOf(agent::GraphHandle graph) override;
  recording::LaunchArguments ArgumentsOf(const agent::CapturedNode& kernel) override;
  bool CanSubstitute() const override;
  std::optional<agent::GraphHandle> CopyGraph(agent::GraphHandle graph) override;
  void DestroyGraph(agent::GraphHandle copy) override;
  std::optional<agent::GraphExecHandle> MakeInstance(agent::GraphHandle copy) override;
  void DestroyInstance(agent::GraphExecHandle exec) override;
  // Does nothing before CUDA 12.4.
  void LoadCode(agent::FunctionHandle function) override;

  // Of the context's device; empty when the driver does not tell.
  std::optional<Bytes> FreeMemory(agent::ContextHandle context) const;
  // Where its GPU sits, the same in every process; empty when the driver does not tell.
  std::optional<std::string> BusId(agent::ContextHandle context) const;

  const ParameterReader& parameters() const { return parameters_; }

  // Whether `context` is the calling thread's.
  bool IsCurrent(agent::ContextHandle context) const;

  // Name, compute capability and driver version of a device; chip and CUPTI version stay empty.
  recording::Device DescribeDevice(DeviceIndex device) const;

 private:
  DriverDevice() = default;
  std::string UuidOf(CUdevice device) const;
  void LoadGraphs(void* library);
  void LoadInstances(void* library);
  // In relaxed mode, so that another thread's capture in global mode does not forbid the call.
  template <typename Call>
  CUresult BesideCaptures(const Call& call) const;
  bool TriesToSubstitute(CUgraphExec exec) const;
  void AddNode(CUgraph graph, CUgraphNode node, int depth, agent::GraphContents& contents);
  void AddNodesOf(CUgraph graph, int depth, agent::GraphContents& contents);
  bool AddKernel(CUgraph graph, CUgraphNode node, agent::GraphContents& contents);
  // What `call` answers while `context` is the thread's.
  template <typename Call>
  CUresult InContext(agent::ContextHandle context, const Call& call) const;
  CUresult QueryInContext(agent::ContextHandle context, agent::StreamHandle stream) const;

  // CUDA's headers map these names to versioned ones, so the versions stand here as text.
  CUresult (*stream_query_)(CUstream) = nullptr;
  CUresult (*stream_get_capture_info_)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                       const CUgraphNode**, size_t*) = nullptr;
  CUresult (*thread_exchange_capture_mode_)(CUstreamCaptureMode*) = nullptr;
  CUresult (*context_get_current_)(CUcontext*) = nullptr;
  CUresult (*context_push_current_)(CUcontext) = nullptr;
  CUresult (*context_pop_current_)(CUcontext*) = nullptr;
  CUresult (*context_get_device_)(CUdevice*) = nullptr;
  CUresult (*device_get_bus_id_)(char*, int, CUdevice) = nullptr;
  CUresult (*mem_get_info_)(std::size_t*, std::size_t*) = nullptr;    // null: not there
  CUresult (*func_load_)(CUfunction) = nullptr;                       // null: too old
  CUresult (*kernel_get_function_)(CUfunction*, CUkernel) = nullptr;  // null: too old
  struct Graphs {  // all null where the driver is too old
    CUresult (*get_nodes)(CUgraph, CUgraphNode*, size_t*) = nullptr;
    CUresult (*node_get_type)(CUgraphNode, CUgraphNodeType*) = nullptr;
    CUresult (*kernel_node_get_params)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS*) = nullptr;
    CUresult (*child_graph_node_get_graph)(CUgraphNode, CUgraph*) = nullptr;
    CUresult (*func_get_name)(const char**, CUfunction) = nullptr;
    CUresult (*kernel_get_name)(const char**, CUkernel) = nullptr;
  };
  Graphs graphs_;
  struct Instances {  // all null where one is missing
    CUresult (*clone)(CUgraph*, CUgraph) = nullptr;
    CUresult (*destroy)(CUgraph) = nullptr;
    CUresult (*instantiate)(CUgraphExec*, CUgraph, unsigned long long) = nullptr;
    CUresult (*exec_destroy)(CUgraphExec) = nullptr;
    CUresult (*exec_get_flags)(CUgraphExec, cuuint64_t*) = nullptr;
  };
  Instances instances_;
  ParameterReader parameters_;
  CUresult (*device_get_)(CUdevice*, int) = nullptr;
  CUresult (*device_get_name_)(char*, int, CUdevice) = nullptr;
  CUresult (*device_get_uuid_)(CUuuid*, CUdevice) = nullptr;  // null: not there
  CUresult (*device_get_attribute_)(int*, CUdevice_attribute, CUdevice) = nullptr;
  CUresult (*driver_get_version_)(int*) = nullptr;
};

}  // namespace coalcheck::cupti
