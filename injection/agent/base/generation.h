// SPDX-License-Identifier: Apache-2.0
//
// Tells what a thread has kept from what is true now.
#pragma once

#include <atomic>
#include <cstdint>

namespace coalcheck::agent {

// A number that goes with what threads keep of a table; what was kept with another number is out of
// date. Never the same twice in a process, so that no thread takes what it kept of a table that is
// gone. Any thread.
class Generation {
 public:
  std::uint64_t get() const { return value_.load(std::memory_order_acquire); }
  void Renew() { value_.store(Next(), std::memory_order_release); }

 private:
  static std::uint64_t Next() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }
  std::atomic<std::uint64_t> value_{Next()};
};

}  // namespace coalcheck::agent
