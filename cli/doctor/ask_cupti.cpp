// SPDX-License-Identifier: Apache-2.0
//
// The child that opens libcupti as the agent would, and nvperf with it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/doctor/driver_calls.h"
#include "cli/doctor/vendor_probes.h"
#include "injection/cupti/cupti_functions.h"
#include "injection/cupti/cupti_search.h"

namespace coalcheck::cli::doctor {
namespace {

using Json = nlohmann::ordered_json;

struct NvperfVersion {  // NVPW_QueryVersionNumber_Params
  std::size_t size = sizeof(NvperfVersion);
  void* reserved = nullptr;
  std::uint64_t interface = 0x1e128b6f001423fc;  // NVPW_SDK_VERSION
  std::uint32_t major = 0, minor = 0, patch = 0;
  std::uint32_t release_major = 0, release_minor = 0, release_patch = 0;
};

// The first function of CUPTI's that the agent needs and this copy lacks; empty when there is none.
std::string MissingFunction(void* handle) {
#define COALCHECK_LOOK(name) \
  if (dlsym(handle, #name) == nullptr) return #name;
  COALCHECK_CUPTI_FUNCTIONS(COALCHECK_LOOK)
#undef COALCHECK_LOOK
  return {};
}

// Whether CUPTI refuses its older interface on the GPU, as from CUDA 13.4 on with the newest ones.
// Asked where there is a driver, as the agent asks: other errors say nothing of the GPU.
void AskProfiler(void* cupti, Json& answer) {
  struct {  // CUpti_Profiler_Initialize_Params
    std::size_t size = 16;
    void* reserved = nullptr;
  } params;
  constexpr int kNotSupported = 27;
  constexpr int kLegacyProfilerNotSupported = 38;
  const Result<DriverCalls> driver = OpenDriver();
  if (!driver.ok() || driver.value().init(0) != 0) return;
  void* initialize = dlsym(cupti, "cuptiProfilerInitialize");
  const int result = reinterpret_cast<int (*)(void*)>(initialize)(&params);
  if (result == kNotSupported || result == kLegacyProfilerNotSupported) {
    answer["profiler_refusal"] = result;
  }
}

void AskNvperf(Json& answer) {
  void* library = dlopen("libnvperf_host.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  void* query = dlsym(library, "NVPW_QueryVersionNumber");
  void* any = query == nullptr ? dlsym(library, "NVPW_InitializeHost") : query;
  Dl_info info{};
  if (any == nullptr || dladdr(any, &info) == 0 || info.dli_fname == nullptr) return;
  answer["nvperf_path"] = info.dli_fname;
  NvperfVersion version;
  if (query == nullptr || reinterpret_cast<int (*)(NvperfVersion*)>(query)(&version) != 0) return;
  answer["nvperf_version"] =
      fmt::format("{}.{}.{}", version.release_major, version.release_minor, version.release_patch);
}

}  // namespace

std::string AskCupti(const std::string& cupti_path) {
  Json answer = {{"found", false}, {"error", ""}};
  const Result<cupti::OpenedCupti> opened = cupti::FindCupti(cupti_path);
  if (!opened.ok()) {
    answer["error"] = opened.error();
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void* handle = opened.value().handle;
  answer["found"] = true;
  answer["path"] = opened.value().path;
  if (const std::string missing = MissingFunction(handle); !missing.empty()) {
    answer["error"] = fmt::format("{} is too old: it has no {}", opened.value().path, missing);
  } else {
    std::uint32_t version = 0;
    reinterpret_cast<int (*)(std::uint32_t*)>(dlsym(handle, "cuptiGetVersion"))(&version);
    answer["version"] = version;
    AskProfiler(handle, answer);
  }
  AskNvperf(answer);
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace coalcheck::cli::doctor
