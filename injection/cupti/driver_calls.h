// SPDX-License-Identifier: Apache-2.0
//
// Handles as CUDA has them, and functions of the driver by their names.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include "injection/agent/base/device.h"

namespace coalcheck::cupti {

inline CUcontext ToCuda(agent::ContextHandle context) {
  return reinterpret_cast<CUcontext>(context.value());
}
inline CUstream ToCuda(agent::StreamHandle stream) {
  return reinterpret_cast<CUstream>(stream.value());
}

inline CUgraph ToCuda(agent::GraphHandle graph) { return reinterpret_cast<CUgraph>(graph.value()); }
inline CUgraphExec ToCuda(agent::GraphExecHandle exec) {
  return reinterpret_cast<CUgraphExec>(exec.value());
}

// Whether `library` has it; else `function` is null.
template <typename Function>
bool Load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace coalcheck::cupti
