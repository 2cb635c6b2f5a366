// SPDX-License-Identifier: Apache-2.0
//
// What differs from one such call to the other.
#include "injection/cupti/launch_calls.h"

namespace coalcheck::cupti {
namespace {

std::optional<recording::Dim3> ClusterOf(const CUlaunchConfig& config) {
  for (unsigned int i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    if (attribute.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const auto& size = attribute.value.clusterDim;
    return recording::Dim3{size.x, size.y, size.z};
  }
  return std::nullopt;
}

}  // namespace

CallOfLaunch ReadLaunchEx(const CUpti_CallbackData& data) {
  const auto& p = ParamsOf<cuLaunchKernelEx_params>(data);
  CallOfLaunch call{.function = p.f, .parameters = {p.kernelParams, p.extra}, .config = p.config};
  if (p.config == nullptr) return call;
  const CUlaunchConfig& config = *p.config;
  call.stream = config.hStream;
  call.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  call.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  call.shared_memory = config.sharedMemBytes;
  return call;
}

recording::LaunchArguments DriverCall::Arguments() const {
  const CallOfLaunch call = read_(data_);
  recording::LaunchArguments arguments;
  arguments.shared_memory = Bytes(call.shared_memory);
  if (call.config != nullptr) arguments.cluster = ClusterOf(*call.config);
  parameters_.Read(call.function, call.parameters, arguments);
  return arguments;
}

std::optional<agent::CalledWith> DriverCall::InPlace() const {
  const CallOfLaunch call = read_(data_);
  agent::CalledWith with{.shared_bytes = call.shared_memory};
  if (call.config != nullptr) with.cluster = ClusterOf(*call.config);
  if (!ParameterReader::Locate(call.parameters, with)) return std::nullopt;
  return with;
}

}  // namespace coalcheck::cupti
