// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's functions out of the copy that was found.
#include "injection/cupti/cupti_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "injection/cupti/cupti_search.h"
#include "libcoalcheck/base/cupti_errors.h"

namespace coalcheck::cupti {
namespace {

// The table is written without CUPTI's headers; here it is held against them.
constexpr bool Same(int ours, int theirs) { return ours == theirs; }
static_assert(Same(kCuptiHardwareBusy, CUPTI_ERROR_HARDWARE_BUSY) &&
              Same(kCuptiVirtualized, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED) &&
              Same(kCuptiInsufficientPrivileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) &&
              Same(kCuptiOtherSubscriber, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) &&
              Same(kCuptiVirtualizedPrivileges,
                   CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) &&
              Same(kCuptiConfidentialComputing, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED) &&
              Same(kCuptiMiningProcessor, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED) &&
              Same(kCuptiMig, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED) &&
              Same(kCuptiSli, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED) &&
              Same(kCuptiWsl, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED));

void ResolveSampling(void* handle, Functions& functions) {
  bool complete = true;
#define COALCHECK_RESOLVE(name)                                                      \
  functions.name = reinterpret_cast<decltype(functions.name)>(dlsym(handle, #name)); \
  complete = complete && functions.name != nullptr;
  COALCHECK_CUPTI_SAMPLING_FUNCTIONS(COALCHECK_RESOLVE)
#undef COALCHECK_RESOLVE
#define COALCHECK_CLEAR(name) functions.name = nullptr;
  if (!complete) {
    COALCHECK_CUPTI_SAMPLING_FUNCTIONS(COALCHECK_CLEAR)
  }
#undef COALCHECK_CLEAR
}

Result<Library> Resolve(const OpenedCupti& attempt) {
  Library library{attempt.path, {}};
  const char* missing = nullptr;
#define COALCHECK_RESOLVE(name)                                                         \
  library.functions.name =                                                              \
      reinterpret_cast<decltype(library.functions.name)>(dlsym(attempt.handle, #name)); \
  if (library.functions.name == nullptr) missing = #name;
  COALCHECK_CUPTI_FUNCTIONS(COALCHECK_RESOLVE)
#undef COALCHECK_RESOLVE
  if (missing != nullptr) {
    return Error{fmt::format("{} is too old: it has no {}; CUDA 13.0 or later is needed",
                             attempt.path, missing)};
  }
  ResolveSampling(attempt.handle, library.functions);
  library.functions.cuptiUnsubscribe =
      reinterpret_cast<decltype(&::cuptiUnsubscribe)>(dlsym(attempt.handle, "cuptiUnsubscribe"));
  library.functions.cuptiSubscribe_v2 =
      reinterpret_cast<decltype(&::cuptiSubscribe_v2)>(dlsym(attempt.handle, "cuptiSubscribe_v2"));
  return library;
}

}  // namespace

Result<Library> OpenLibrary(const std::string& cupti_path) {
  const Result<OpenedCupti> found = FindCupti(cupti_path);
  if (!found.ok()) return Error{found.error()};
  return Resolve(found.value());
}

std::string Describe(const Functions& functions, const char* call, CUptiResult result) {
  const char* name = nullptr;
  functions.cuptiGetResultString(result, &name);
  const std::string_view remedy = ExplainCuptiError(static_cast<int>(result));
  return fmt::format("{}: {} ({}){}{}", call, name == nullptr ? "unknown error" : name,
                     static_cast<int>(result), remedy.empty() ? "" : "; ", remedy);
}

}  // namespace coalcheck::cupti
