// SPDX-License-Identifier: Apache-2.0
//
// The line shown decides: it is under the source root whenever any line of the inline chain is.
#include "libcoalcheck/findings/places/scope.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <string_view>

namespace coalcheck::findings {
namespace {

bool IsUsers(const Access& access, const cubin::SourceScope& sources) {
  return access.shown && !cubin::IsInstalledFile(access.shown->file) &&
         cubin::IsUnderRoot(access.shown->file, sources);
}

}  // namespace

Scope MarkScope(const cubin::SourceScope& sources, Scope asked, bool may_fall_back,
                std::vector<Access>& accesses) {
  if (asked == Scope::kUser) {
    for (Access& access : accesses) access.in_scope = IsUsers(access, sources);
    const bool any = std::ranges::any_of(accesses, &Access::in_scope);
    if (any || accesses.empty() || !may_fall_back) return Scope::kUser;
  }
  for (Access& access : accesses) access.in_scope = true;
  return Scope::kAll;
}

LibraryCode LibraryCodeOf(const Report& report) {
  LibraryCode library;
  absl::flat_hash_set<std::string_view> kernels;
  for (const Access& access : report.accesses) {
    if (access.in_scope) continue;
    kernels.insert(access.kernel);
    library.sectors += access.counts.sectors;
    library.ideal += access.counts.ideal;
  }
  library.kernels = kernels.size();
  for (const KernelCoverage& kernel : report.kernels) {
    if (kernel.lacks_lines && kernels.contains(kernel.kernel)) ++library.kernels_without_lines;
  }
  library.accesses = static_cast<std::uint64_t>(
      std::ranges::count_if(report.places, [](const Place& place) { return !place.in_scope; }));
  return library;
}

}  // namespace coalcheck::findings
