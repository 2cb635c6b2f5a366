// SPDX-License-Identifier: Apache-2.0
//
// The handles that programs hold for their NVTX domains and registered strings.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::nvtx {

// What a program holds as a pointer. No object lies there: a handle of somebody else's is told from
// ours without looking at what it points to.
using Handle = Id<struct HandleTag, std::uintptr_t>;

inline constexpr std::size_t kMaxHandles = 16384;

// Any thread. Equal texts have one handle, which is good for the rest of the process, whatever its
// holders destroy: another may hold it still.
class Handles {
 public:
  enum class Kind : std::uint8_t { kDomain = 1, kString = 2 };

  // `others` is what further texts are called when there is no room.
  Handles(Kind kind, std::string_view others);

  Handle Intern(std::string_view text);
  // Null for a handle that is not of this table. Takes no lock.
  const std::string* Find(Handle handle) const;

  // This is a forked child. If another thread was at work in the table just then, no handle is
  // added from here on.
  void Forked();

 private:
  const std::uintptr_t first_;
  std::atomic<bool> forked_off_{false};
  std::array<std::atomic<const std::string*>, kMaxHandles + 1> found_{};  // [0]: the others

  Mutex mutex_;  // of what follows
  std::deque<std::string> texts_ COALCHECK_GUARDED_BY(mutex_);
  std::unordered_map<std::string_view, Handle> handles_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::nvtx
