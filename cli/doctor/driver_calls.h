// SPDX-License-Identifier: Apache-2.0
//
// The CUDA driver's functions, opened at run time: the command links no library of NVIDIA's and
// starts on machines without one. Only called in child processes of the doctor.
#pragma once

#include <cstddef>
#include <string>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cli::doctor {

// The types and numbers of the driver's binary interface, which does not change.
using DriverResult = int;  // 0: success
using DriverDevice = int;
using DriverHandle = void*;  // of a context, module, function or stream
using DriverAddress = unsigned long long;
inline constexpr int kComputeMajor = 75;      // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
inline constexpr int kComputeMinor = 76;      // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
inline constexpr int kGenerateLineInfo = 13;  // CU_JIT_GENERATE_LINE_INFO

// A member, its name in libcuda, its parameters.
#define COALCHECK_DRIVER_FUNCTIONS(X)                                                      \
  X(init, cuInit, (unsigned))                                                              \
  X(driver_version, cuDriverGetVersion, (int*))                                            \
  X(device_count, cuDeviceGetCount, (int*))                                                \
  X(device, cuDeviceGet, (DriverDevice*, int))                                             \
  X(device_name, cuDeviceGetName, (char*, int, DriverDevice))                              \
  X(device_attribute, cuDeviceGetAttribute, (int*, int, DriverDevice))                     \
  X(error_name, cuGetErrorName, (DriverResult, const char**))                              \
  X(context_create, cuCtxCreate_v2, (DriverHandle*, unsigned, DriverDevice))               \
  X(context_destroy, cuCtxDestroy_v2, (DriverHandle))                                      \
  X(context_synchronize, cuCtxSynchronize, ())                                             \
  X(module_load, cuModuleLoadDataEx, (DriverHandle*, const void*, unsigned, int*, void**)) \
  X(module_function, cuModuleGetFunction, (DriverHandle*, DriverHandle, const char*))      \
  X(allocate, cuMemAlloc_v2, (DriverAddress*, std::size_t))                                \
  X(copy_in, cuMemcpyHtoD_v2, (DriverAddress, const void*, std::size_t))                   \
  X(copy_out, cuMemcpyDtoH_v2, (void*, DriverAddress, std::size_t))                        \
  X(launch, cuLaunchKernel,                                                                \
    (DriverHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     DriverHandle, void**, void**))

struct DriverCalls {
  std::string path;  // of the library
// NOLINTNEXTLINE(bugprone-macro-parentheses): what is declared takes none
#define COALCHECK_DECLARE(member, name, parameters) DriverResult(*member) parameters = nullptr;
  COALCHECK_DRIVER_FUNCTIONS(COALCHECK_DECLARE)
#undef COALCHECK_DECLARE

  // "CUDA_ERROR_NO_DEVICE (100)"
  std::string Name(DriverResult result) const;
};

// Error: libcuda.so.1 cannot be opened, or is too old.
Result<DriverCalls> OpenDriver();

}  // namespace coalcheck::cli::doctor
