// SPDX-License-Identifier: Apache-2.0
//
// Which launches can be kept.
#include "injection/agent/shapes/uncounted_launches.h"

#include <optional>

namespace coalcheck::agent {
namespace {

// Nobody will ever count the kernel, so nothing can confirm a prediction of it.
bool IsNeverCounted(const ShapeEntry& entry) {
  return entry.excluded() || !entry.kernel().selected.load(std::memory_order_relaxed);
}

// Of more shapes than are told apart the book knows the kernel alone.
bool IsFolded(const ShapeEntry& entry) { return entry.shape().grid.x == 0; }

}  // namespace

void UncountedLaunches::Add(const ShapeEntry& entry, FunctionHandle function,
                            const LaunchCall& call) {
  if (IsNeverCounted(entry)) return;
  ArgumentTable& table = entry.kernel().uncounted;
  const std::optional<CalledWith> with = call.InPlace();
  const ParameterLayout* layout = with ? layouts_.Of(function, call) : nullptr;
  const bool has_block = with && with->pointers == nullptr;
  if (layout == nullptr || IsFolded(entry) || (has_block && with->block_size < layout->kept())) {
    return table.AddOthers(Launches(1));
  }
  table.Add({entry.hash(), entry.shape().grid, entry.shape().block, *with, *layout}, room_);
}

void UncountedLaunches::AddReplays(const ShapeEntry& entry,
                                   const recording::LaunchArguments& arguments, Launches launches) {
  if (IsNeverCounted(entry)) return;
  ArgumentTable& table = entry.kernel().uncounted;
  if (IsFolded(entry)) return table.AddOthers(launches);
  table.AddRead(entry.shape().grid, entry.shape().block, arguments, launches, room_);
}

}  // namespace coalcheck::agent
