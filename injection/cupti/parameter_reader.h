// SPDX-License-Identifier: Apache-2.0
//
// Reads the parameters of a kernel launch as one block of bytes.
#pragma once

#include <cuda.h>

#include <optional>

#include "injection/agent/base/device.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::cupti {

// The two ways to pass parameters; a launch uses at most one.
struct Parameters {
  void* const* pointers = nullptr;  // to one parameter each
  void* const* extra = nullptr;     // CU_LAUNCH_PARAM_…: names one block
};

class ParameterReader {
 public:
  // From libcuda. Before CUDA 12.4 it does not tell where a kernel's parameters lie.
  void Load(void* libcuda);

  // Sets `size` and `bytes` of `arguments`, or `missing`. The driver has accepted the parameters:
  // what it read of them can be read again. `function` may be a CUkernel.
  void Read(CUfunction function, const Parameters& parameters,
            recording::LaunchArguments& arguments) const;
  // Where they lie; empty where the driver does not tell.
  std::optional<agent::ParameterLayout> LayoutOf(CUfunction function) const;
  // Points `with` at them. False: they were passed in a way that is not known.
  static bool Locate(const Parameters& parameters, agent::CalledWith& with);

 private:
  // CUDA_ERROR_INVALID_VALUE: there are not so many.
  CUresult PlaceOf(CUfunction function, std::size_t index, std::size_t& offset,
                   std::size_t& size) const;
  void ReadPointers(CUfunction function, void* const* pointers,
                    recording::LaunchArguments& arguments) const;

  CUresult (*func_param_)(CUfunction, std::size_t, std::size_t*, std::size_t*) = nullptr;
  CUresult (*kernel_param_)(CUkernel, std::size_t, std::size_t*, std::size_t*) = nullptr;
};

}  // namespace coalcheck::cupti
