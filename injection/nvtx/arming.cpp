// SPDX-License-Identifier: Apache-2.0
//
// The variable that NVTX looks at, and the path of the library that this code is in.
#include "injection/nvtx/arming.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace coalcheck::nvtx {
namespace {

constexpr const char* kVariable = "NVTX_INJECTION64_PATH";

struct Free {
  void operator()(char* text) const { std::free(text); }
};
using Path = std::unique_ptr<char, Free>;

Path RealPath(const char* path) { return Path(realpath(path, nullptr)); }

Path OurPath() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&ArmNvtx), &here) == 0) return nullptr;
  return here.dli_fname == nullptr ? nullptr : RealPath(here.dli_fname);
}

}  // namespace

bool VariableIsTaken() noexcept {
  const char* named = std::getenv(kVariable);
  return named != nullptr && *named != '\0';
}

Arming ArmNvtx() noexcept {
  const Path ours = OurPath();
  if (VariableIsTaken()) {
    const Path theirs = RealPath(std::getenv(kVariable));
    const bool same = ours && theirs && std::string_view(theirs.get()) == ours.get();
    return same ? Arming::kOursBefore : Arming::kTheirs;
  }
  if (!ours) return Arming::kFailed;
  const bool set = setenv(kVariable, ours.get(), 1) == 0;
  return set ? Arming::kArmed : Arming::kFailed;
}

}  // namespace coalcheck::nvtx
