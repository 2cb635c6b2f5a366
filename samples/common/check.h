// SPDX-License-Identifier: Apache-2.0
//
// How samples fail: one line on stderr, and an exit code that tells why.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace samples {

enum ExitCode : int {
  kOk = 0,
  kWrongResult = 1,  // or a CUDA call failed
  kUsage = 2,
  kNoGpu = 77,  // what automake and Meson read as "skipped"
};

// Ends the program when a CUDA call did not succeed. Every call goes through here.
inline void Check(cudaError_t status,
                  const std::source_location& where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: CUDA error %d (%s): %s\n", where.file_name(), where.line(),
               static_cast<int>(status), cudaGetErrorName(status), cudaGetErrorString(status));
  std::exit(kWrongResult);
}

// After `kernel<<<…>>>(…)`: did the launch itself succeed?
inline void CheckLaunch(const std::source_location& where = std::source_location::current()) {
  Check(cudaGetLastError(), where);
}

// Ends the program, saying so, when there is no GPU to run on.
inline void RequireGpu(const char* sample) {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return;
  std::fprintf(stderr, "%s: no GPU here (%s), nothing was run\n", sample,
               status == cudaSuccess ? "no device" : cudaGetErrorString(status));
  std::exit(kNoGpu);
}

}  // namespace samples
