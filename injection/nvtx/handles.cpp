// SPDX-License-Identifier: Apache-2.0
//
// A handle is an index above an address that nothing can lie at.
#include "injection/nvtx/handles.h"

#include "injection/agent/ranges/range_names.h"

namespace coalcheck::nvtx {

Handles::Handles(Kind kind, std::string_view others)
    // No address of a process is as high, on x86-64 and on AArch64.
    : first_(0x40C0'0000'0000'0000U + (static_cast<std::uintptr_t>(kind) << 32U)) {
  found_[0] = &texts_.emplace_back(others);
}

Handle Handles::Intern(std::string_view text) {
  const Handle others(first_);
  if (forked_off_.load(std::memory_order_relaxed)) return others;
  const std::string_view kept = agent::CutName(text);
  const MutexLock lock(mutex_);
  if (const auto found = handles_.find(kept); found != handles_.end()) return found->second;
  const std::size_t index = texts_.size();
  if (index >= found_.size()) return others;
  const std::string& added = texts_.emplace_back(kept);
  found_[index].store(&added, std::memory_order_release);
  const Handle handle(first_ + index);
  handles_.emplace(added, handle);
  return handle;
}

const std::string* Handles::Find(Handle handle) const {
  if (handle.value() < first_ || handle.value() - first_ >= found_.size()) return nullptr;
  return found_[handle.value() - first_].load(std::memory_order_acquire);
}

void Handles::Forked() {
  if (mutex_.TryLock()) {
    mutex_.Unlock();
  } else {
    forked_off_ = true;
  }
}

}  // namespace coalcheck::nvtx
