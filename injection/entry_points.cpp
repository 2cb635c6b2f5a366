// SPDX-License-Identifier: Apache-2.0
//
// What libcoalcheck.so exports. Logic lives elsewhere, where tests can link it.
#include "injection/nvtx/listener.h"
#include "injection/process_books.h"
#include "injection/raised_rights.h"
#include "injection/start.h"

#define COALCHECK_EXPORT extern "C" __attribute__((visibility("default")))

// Called by the CUDA driver inside cuInit, because CUDA_INJECTION64_PATH names this library.
COALCHECK_EXPORT int InitializeInjection() {
  if (!coalcheck::HasRaisedRights()) coalcheck::StartAgent();
  return 1;
}

// Called by each copy of NVTX at its first call, because NVTX_INJECTION64_PATH names this library.
// That can be long before cuInit, or without any CUDA: nothing starts but the book of ranges.
COALCHECK_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) try {
  if (coalcheck::HasRaisedRights()) return 0;
  coalcheck::MakeExportsGlobal();
  return coalcheck::nvtx::Attach(get_table, coalcheck::ProcessRanges()) ? 1 : 0;
} catch (...) {
  return 0;  // out of memory
}

// The same for each extension of NVTX.
COALCHECK_EXPORT int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* module) try {
  if (coalcheck::HasRaisedRights()) return 0;
  return coalcheck::nvtx::AttachExtension(module, coalcheck::ProcessRanges()) ? 1 : 0;
} catch (...) {
  return 0;  // out of memory
}

// Called by include/coalcheck.h.
COALCHECK_EXPORT void coalcheck_agent_start() { coalcheck::SwitchChecking(true); }
COALCHECK_EXPORT void coalcheck_agent_stop() { coalcheck::SwitchChecking(false); }
COALCHECK_EXPORT void coalcheck_agent_flush() { coalcheck::FlushRecording(); }
COALCHECK_EXPORT void coalcheck_agent_source(const char* file, unsigned first_line,
                                             const char* text) try {
  if (file == nullptr || text == nullptr || coalcheck::HasRaisedRights()) return;
  coalcheck::ProcessSources().Add({file, first_line, text});
} catch (...) {
  return;  // out of memory: a source less
}
// The same of a file that reports are to call otherwise, as a notebook's cell "In[7]", or that was
// made from Python with that stack. Either may be empty.
COALCHECK_EXPORT void coalcheck_agent_source_of(const char* file, unsigned first_line,
                                                const char* text, const char* shown_as,
                                                const char* stack) try {
  for (const char* word : {file, text, shown_as, stack}) {
    if (word == nullptr) return;
  }
  if (coalcheck::HasRaisedRights()) return;
  coalcheck::ProcessSources().Add({file, first_line, text, shown_as, stack});
} catch (...) {
  return;
}
// Called by the Python package: the folder that it reports on.
COALCHECK_EXPORT const char* coalcheck_agent_recording() { return coalcheck::RecordingFolder(); }

COALCHECK_EXPORT void coalcheck_agent_push(const char* name) try {
  coalcheck::ProcessRanges().Push(coalcheck::kOwnDomain, name == nullptr ? "" : name);
} catch (...) {
  return;  // out of memory: a region less
}

COALCHECK_EXPORT void coalcheck_agent_pop() try {
  coalcheck::ProcessRanges().Pop(coalcheck::kOwnDomain);
} catch (...) {
  return;
}
