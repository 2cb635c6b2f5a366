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

#include "injection/cupti/cupti_functions.h"
#include "libcoalcheck/base/result.h"

namespace coalcheck::cupti {

// The functions the agent calls, as they are declared in CUPTI's headers.
struct Functions {
#define COALCHECK_DECLARE(name) \
  decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  COALCHECK_CUPTI_FUNCTIONS(COALCHECK_DECLARE)
  COALCHECK_CUPTI_SAMPLING_FUNCTIONS(COALCHECK_DECLARE)  // all there, or all null
#undef COALCHECK_DECLARE
  decltype(&::cuptiUnsubscribe) cuptiUnsubscribe = nullptr;  // only needed when starting fails
  decltype(&::cuptiSubscribe_v2) cuptiSubscribe_v2 =
      nullptr;  // from CUPTI 13.0; names the other client
};

struct Library {
  std::string path;
  Functions functions;
};

// Opens what FindCupti finds. Error: one line naming the places tried, or what the copy lacks.
Result<Library> OpenLibrary(const std::string& cupti_path);

// "cuptiSassMetricsEnable: CUPTI_ERROR_… (35)", and what to do about it where that is known.
std::string Describe(const Functions& functions, const char* call, CUptiResult result);

}  // namespace coalcheck::cupti
