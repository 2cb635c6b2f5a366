// SPDX-License-Identifier: Apache-2.0
//
// Finds libcupti and opens it: the agent is linked to nothing of NVIDIA's, so that it loads
// anywhere and uses the copy that the process already has.
#pragma once

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <string>
#include <vector>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cupti {

// The functions the agent calls, as they are declared in CUPTI's headers.
#define COALCHECK_CUPTI_FUNCTIONS(X)   \
  X(cuptiGetVersion)                   \
  X(cuptiGetResultString)              \
  X(cuptiSubscribe)                    \
  X(cuptiEnableCallback)               \
  X(cuptiGetDeviceId)                  \
  X(cuptiProfilerInitialize)           \
  X(cuptiDeviceGetChipName)            \
  X(cuptiRegisterComputeCrcCallback)   \
  X(cuptiSassMetricsGetProperties)     \
  X(cuptiSassMetricsSetConfig)         \
  X(cuptiSassMetricsEnable)            \
  X(cuptiSassMetricsDisable)           \
  X(cuptiSassMetricsGetDataProperties) \
  X(cuptiSassMetricsFlushData)

struct Functions {
#define COALCHECK_DECLARE(name) decltype(&::name) name = nullptr;
  COALCHECK_CUPTI_FUNCTIONS(COALCHECK_DECLARE)
#undef COALCHECK_DECLARE
  decltype(&::cuptiUnsubscribe) cuptiUnsubscribe = nullptr;  // only needed when starting fails
  decltype(&::cuptiSubscribe_v2) cuptiSubscribe_v2 =
      nullptr;  // from CUPTI 13.0; names the other client
};

struct Library {
  std::string path;
  Functions functions;
};

// Where libcupti may be, in the order in which it is looked for: a copy already in the process,
// `cupti_path` (a file or a folder), the dynamic linker's own search, toolkit folders, Python
// packages. Error: one line naming the places tried.
Result<Library> OpenLibrary(const std::string& cupti_path);

// "cuptiSassMetricsEnable: CUPTI_ERROR_… (35)", and what to do about it where that is known.
std::string Describe(const Functions& functions, const char* call, CUptiResult result);

}  // namespace coalcheck::cupti
