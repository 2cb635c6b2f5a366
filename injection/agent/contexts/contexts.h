// SPDX-License-Identifier: Apache-2.0
//
// All contexts of the process, and the devices on which nothing is counted any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "injection/agent/base/generation.h"
#include "injection/agent/windows/context_watch.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// Any thread. A watch lives as long as this, so that a thread may keep what it has found. The lock
// is never held across a call of the driver, whose callbacks ask for contexts.
class Contexts {
 public:
  explicit Contexts(const ContextWatch::Shared& shared) : shared_(shared) {}

  struct Added {
    ContextWatch* watch = nullptr;
    bool countable = true;
  };
  // A context was created. `begin` is asked under the lock, so that one thread at a time begins the
  // recording, whether to watch it. Nothing: it is not watched, or was already. `countable` is
  // false where nothing is measured; a device that was closed is not countable either.
  template <typename Begin>
  std::optional<Added> Add(ContextHandle context, DeviceIndex device, bool countable, Begin begin) {
    const WriterLock lock(mutex_);
    if (contexts_.contains(context) || !begin()) return std::nullopt;
    auto watch = std::make_unique<ContextWatch>(context, ContextId(++made_), device, shared_);
    const Added added{watch.get(), countable && !closed_devices_.contains(device)};
    if (!added.countable) watch->SetUncountable();
    contexts_[context] = std::move(watch);
    generation_.Renew();
    return added;
  }
  // The context is about to be destroyed: nobody finds it here from now on.
  void Remove(const ContextWatch& watch);
  // Null: not watched. A thread finds the context of its last call again without a lock.
  ContextWatch* Find(ContextHandle context) const;
  std::vector<ContextWatch*> All() const;
  // That were ever watched. Without a lock.
  std::uint64_t made() const { return made_.load(std::memory_order_relaxed); }

  struct ClosedDevice {
    std::vector<ContextWatch*> contexts;
    // Counting was on in a context of it that went: it can never be taken down.
    bool still_counts = false;
  };
  // A context that is made on the device from here on does not count; these are the others.
  ClosedDevice CloseDevice(DeviceIndex device);
  bool AnyDeviceStillCounts() const;

  // What the open windows wait for.
  std::vector<OpenWindow::Waiting> Waiting() const;

 private:
  const ContextWatch::Shared shared_;
  Generation generation_;
  std::atomic<std::uint64_t> made_{0};
  mutable SharedMutex mutex_;
  std::map<ContextHandle, std::unique_ptr<ContextWatch>> contexts_ COALCHECK_GUARDED_BY(mutex_);
  std::set<DeviceIndex> closed_devices_ COALCHECK_GUARDED_BY(mutex_);
  std::set<DeviceIndex> still_counting_ COALCHECK_GUARDED_BY(mutex_);
  // Other threads may still hold one.
  std::vector<std::unique_ptr<ContextWatch>> removed_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
