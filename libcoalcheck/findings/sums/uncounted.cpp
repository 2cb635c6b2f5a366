// SPDX-License-Identifier: Apache-2.0
//
// A recording names the kernel of such launches, and not its code.
#include "libcoalcheck/findings/sums/uncounted.h"

#include <utility>

namespace coalcheck::findings {

void GiveUncounted(Aggregate& aggregate) {
  std::map<std::string_view, std::size_t> codes;
  for (const auto& [key, function] : aggregate.functions) ++codes[key.second];
  std::map<std::string, recording::Uncounted> by_kernel;
  for (recording::Uncounted& one : std::move(aggregate.uncounted).Take()) {
    const auto kernel = aggregate.kernels.find(one.kernel);
    if (kernel == aggregate.kernels.end()) continue;
    const Launches uncounted = kernel->second.launches - kernel->second.checked;
    if (one.all() <= uncounted) by_kernel.emplace(one.kernel, std::move(one));
  }
  for (auto& [key, function] : aggregate.functions) {
    const auto found = by_kernel.find(key.second);
    if (found == by_kernel.end() || codes[key.second] > 1) continue;
    function.uncounted = std::move(found->second.sets);
  }
}

}  // namespace coalcheck::findings
