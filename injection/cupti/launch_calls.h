// SPDX-License-Identifier: Apache-2.0
//
// The driver's calls that launch one kernel, each read into the same plain values.
#pragma once

#include <cupti.h>

#include <optional>

#include "injection/agent/base/device.h"
#include "injection/cupti/parameter_reader.h"

namespace coalcheck::cupti {

template <typename Params>
const Params& ParamsOf(const CUpti_CallbackData& data) {
  return *static_cast<const Params*>(data.functionParams);
}

struct CallOfLaunch {
  CUfunction function = nullptr;
  CUstream stream = nullptr;
  recording::Dim3 grid{};
  recording::Dim3 block{};
  unsigned int shared_memory = 0;  // dynamic, bytes of a block
  Parameters parameters;
  const CUlaunchConfig* config = nullptr;  // of cuLaunchKernelEx only
};
using ReadCall = CallOfLaunch (*)(const CUpti_CallbackData&);

// cuLaunchKernel and cuLaunchCooperativeKernel name their parameters alike.
template <typename Params>
CallOfLaunch ReadLaunch(const CUpti_CallbackData& data) {
  const Params& p = ParamsOf<Params>(data);
  CallOfLaunch call{.function = p.f,
                    .stream = p.hStream,
                    .grid = {p.gridDimX, p.gridDimY, p.gridDimZ},
                    .block = {p.blockDimX, p.blockDimY, p.blockDimZ},
                    .shared_memory = p.sharedMemBytes,
                    .parameters = {.pointers = p.kernelParams}};
  if constexpr (requires { p.extra; }) call.parameters.extra = p.extra;
  return call;
}

CallOfLaunch ReadLaunchEx(const CUpti_CallbackData& data);

// The call that CUPTI has just said begins or returns.
class DriverCall final : public agent::LaunchCall {
 public:
  DriverCall(const ParameterReader& parameters, const CUpti_CallbackData& data, ReadCall read)
      : parameters_(parameters), data_(data), read_(read) {}
  recording::LaunchArguments Arguments() const override;
  std::optional<agent::CalledWith> InPlace() const override;
  std::optional<agent::ParameterLayout> Layout() const override {
    return parameters_.LayoutOf(read_(data_).function);
  }

 private:
  const ParameterReader& parameters_;
  const CUpti_CallbackData& data_;
  const ReadCall read_;
};

}  // namespace coalcheck::cupti
