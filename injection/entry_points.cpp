// SPDX-License-Identifier: Apache-2.0
//
// What libcoalcheck.so exports. Logic lives elsewhere, where tests can link it.
#include "injection/nvtx/listener.h"
#include "injection/process_ranges.h"
#include "injection/start.h"

#define COALCHECK_EXPORT extern "C" __attribute__((visibility("default")))

// Called by the CUDA driver inside cuInit, because CUDA_INJECTION64_PATH names this library.
COALCHECK_EXPORT int InitializeInjection() {
  coalcheck::StartAgent();
  return 1;
}

// Called by each copy of NVTX at its first call, because NVTX_INJECTION64_PATH names this library.
// That can be long before cuInit, or without any CUDA: nothing starts but the book of ranges.
COALCHECK_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) try {
  return coalcheck::nvtx::Attach(get_table, coalcheck::ProcessRanges()) ? 1 : 0;
} catch (...) {
  return 0;  // out of memory
}

// The same for each extension of NVTX.
COALCHECK_EXPORT int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* module) try {
  return coalcheck::nvtx::AttachExtension(module, coalcheck::ProcessRanges()) ? 1 : 0;
} catch (...) {
  return 0;  // out of memory
}
