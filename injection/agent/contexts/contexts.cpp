// SPDX-License-Identifier: Apache-2.0
//
// The map and the sets behind one lock.
#include "injection/agent/contexts/contexts.h"

#include <utility>

#include "injection/agent/base/thread_state.h"

namespace coalcheck::agent {

void Contexts::Remove(const ContextWatch& watch) {
  const WriterLock lock(mutex_);
  if (watch.MayCount()) still_counting_.insert(watch.device());
  auto node = contexts_.extract(watch.handle());
  generation_.Renew();
  if (!node.empty()) removed_.push_back(std::move(node.mapped()));
}

ContextWatch* Contexts::Find(ContextHandle context) const {
  FoundContext& last = ThisThread().found_context;
  const std::uint64_t generation = generation_.get();
  if (last.generation == generation && last.handle == context) return last.watch;
  const ReaderLock lock(mutex_);
  const auto found = contexts_.find(context);
  if (found == contexts_.end()) return nullptr;
  // If contexts came or went meanwhile, this is of an older generation and is looked up again.
  last = {generation, context, found->second.get()};
  return last.watch;
}

std::vector<ContextWatch*> Contexts::All() const {
  std::vector<ContextWatch*> watches;
  const ReaderLock lock(mutex_);
  for (const auto& [handle, watch] : contexts_) watches.push_back(watch.get());
  return watches;
}

Contexts::ClosedDevice Contexts::CloseDevice(DeviceIndex device) {
  ClosedDevice closed;
  const WriterLock lock(mutex_);
  closed_devices_.insert(device);
  closed.still_counts = still_counting_.contains(device);
  for (const auto& [handle, watch] : contexts_) {
    if (watch->device() == device) closed.contexts.push_back(watch.get());
  }
  return closed;
}

bool Contexts::AnyDeviceStillCounts() const {
  const ReaderLock lock(mutex_);
  return !still_counting_.empty();
}

std::vector<OpenWindow::Waiting> Contexts::Waiting() const {
  std::vector<OpenWindow::Waiting> all;
  const ReaderLock lock(mutex_);
  for (const auto& [handle, watch] : contexts_) {
    if (auto waiting = std::as_const(*watch).window().WaitsFor())
      all.push_back(*std::move(waiting));
  }
  return all;
}

}  // namespace coalcheck::agent
