// SPDX-License-Identifier: Apache-2.0
//
// A lock with a deadline.
#pragma once

#include <chrono>
#include <thread>

#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// False: others held it all the time. It asks again and again, as std::timed_mutex waits by a call
// that ThreadSanitizer of GCC 12 does not know, which takes each unlocking behind it for a fault.
inline bool TryLockFor(Mutex& mutex, std::chrono::nanoseconds patience)
    COALCHECK_TRY_ACQUIRE(true, mutex) {
  constexpr std::chrono::microseconds kRest{50};
  const auto end = std::chrono::steady_clock::now() + patience;
  bool locked = mutex.TryLock();
  while (!locked && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kRest);
    locked = mutex.TryLock();
  }
  return locked;
}

}  // namespace coalcheck::agent
