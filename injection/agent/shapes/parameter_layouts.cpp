// SPDX-License-Identifier: Apache-2.0
//
// A small per-thread cache in front of a map.
#include "injection/agent/shapes/parameter_layouts.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace coalcheck::agent {
namespace {

// A layout found lately by this thread.
struct CachedLayout {
  std::uint64_t generation = 0;
  FunctionHandle function;
  const ParameterLayout* layout = nullptr;
};
constexpr std::size_t kLayoutBits = 8;  // direct-mapped
thread_local std::array<CachedLayout, std::size_t{1} << kLayoutBits> layouts_found;

// Handles lie at equal distances: their low bits tell few of them apart.
std::size_t LayoutSlot(FunctionHandle function) {
  return function.value() * 0x9e3779b97f4a7c15ULL >> (64 - kLayoutBits);
}

}  // namespace

const ParameterLayout* ParameterLayouts::Of(FunctionHandle function, const LaunchCall& call) {
  CachedLayout& cached = layouts_found[LayoutSlot(function)];
  const std::uint64_t generation = generation_.get();
  if (cached.generation == generation && cached.function == function) return cached.layout;
  const ParameterLayout* layout = Ask(function, call);
  cached = {generation, function, layout};
  return layout;
}

const ParameterLayout* ParameterLayouts::Ask(FunctionHandle function, const LaunchCall& call) {
  {
    const MutexLock lock(mutex_);
    if (const auto found = known_.find(function); found != known_.end()) return found->second;
  }
  std::optional<ParameterLayout> layout = call.Layout();  // not under the lock: it asks the driver
  const MutexLock lock(mutex_);
  const ParameterLayout* kept = layout ? &*layouts_.insert(*std::move(layout)).first : nullptr;
  known_.insert_or_assign(function, kept);
  return kept;
}

void ParameterLayouts::DiscardHandles() {
  const MutexLock lock(mutex_);
  known_.clear();
  generation_.Renew();
}

}  // namespace coalcheck::agent
