// SPDX-License-Identifier: Apache-2.0
//
// The Device over the CUDA driver's own functions, taken from the libcuda that the process uses.
#pragma once

#include <cuda.h>

#include <optional>

#include "injection/agent/device.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::cupti {

class DriverDevice final : public agent::Device {
 public:
  // Error: libcuda is not in the process, or lacks a function.
  static Result<DriverDevice> Open();

  agent::StreamState Query(agent::ContextHandle context, agent::StreamHandle stream) override;
  std::optional<agent::CaptureId> CaptureOf(agent::StreamHandle stream) override;
  bool IsCapturing(agent::StreamHandle stream) override;

  // Whether `context` is the calling thread's.
  bool IsCurrent(agent::ContextHandle context) const;

  // Name, compute capability and driver version of a device; chip and CUPTI version stay empty.
  recording::Device DescribeDevice(DeviceIndex device) const;

 private:
  DriverDevice() = default;
  CUresult QueryInContext(agent::ContextHandle context, agent::StreamHandle stream) const;

  // CUDA's headers map these names to versioned ones, so the versions stand here as text.
  CUresult (*stream_query_)(CUstream) = nullptr;
  CUresult (*stream_get_capture_info_)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                       const CUgraphNode**, size_t*) = nullptr;
  CUresult (*thread_exchange_capture_mode_)(CUstreamCaptureMode*) = nullptr;
  CUresult (*context_get_current_)(CUcontext*) = nullptr;
  CUresult (*context_push_current_)(CUcontext) = nullptr;
  CUresult (*context_pop_current_)(CUcontext*) = nullptr;
  CUresult (*device_get_)(CUdevice*, int) = nullptr;
  CUresult (*device_get_name_)(char*, int, CUdevice) = nullptr;
  CUresult (*device_get_attribute_)(int*, CUdevice_attribute, CUdevice) = nullptr;
  CUresult (*driver_get_version_)(int*) = nullptr;
};

}  // namespace coalcheck::cupti
