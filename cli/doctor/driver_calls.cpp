// SPDX-License-Identifier: Apache-2.0
//
// dlopen of libcuda.
#include "cli/doctor/driver_calls.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace coalcheck::cli::doctor {

std::string DriverCalls::Name(DriverResult result) const {
  const char* name = nullptr;
  if (error_name(result, &name) != 0 || name == nullptr) name = "unknown error";
  return fmt::format("{} ({})", name, result);
}

Result<DriverCalls> OpenDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return Error{why == nullptr ? "libcuda.so.1 cannot be opened" : why};
  }
  DriverCalls calls;
  const char* missing = nullptr;
#define COALCHECK_RESOLVE(member, name, parameters)                               \
  calls.member = reinterpret_cast<decltype(calls.member)>(dlsym(library, #name)); \
  if (calls.member == nullptr) missing = #name;
  COALCHECK_DRIVER_FUNCTIONS(COALCHECK_RESOLVE)
#undef COALCHECK_RESOLVE
  if (missing != nullptr) return Error{fmt::format("libcuda.so.1 is no driver: no {}", missing)};
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(calls.init), &info) != 0 && info.dli_fname != nullptr) {
    calls.path = info.dli_fname;
  }
  return calls;
}

}  // namespace coalcheck::cli::doctor
