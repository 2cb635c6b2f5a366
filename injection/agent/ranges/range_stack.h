// SPDX-License-Identifier: Apache-2.0
//
// The push/pop ranges that are open on one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "injection/agent/ranges/range_names.h"

namespace coalcheck::agent {

inline constexpr std::size_t kMaxNamedDepth = 64;

// The level of a push/pop range among those of its thread and domain, from 0, as NVTX counts.
using RangeLevel = Id<struct RangeLevelTag, int>;

// One thread's. All zero when it is empty, and trivially destructible, because it is kept in
// thread-local memory.
class RangeStack {
 public:
  struct Pushed {
    RangeLevel level;
    bool named = false;  // false: it lies too deep and is only counted
  };
  Pushed Push(const RangeName& range);
  struct Popped {
    bool found = false;  // false: nothing of the domain was open
    RangeLevel level;
    bool named = false;
  };
  // Ends the innermost range of the domain, which need not be the innermost of all.
  Popped Pop(const std::string& domain);

  // From the outermost on.
  std::span<const RangeName* const> named() const { return {names_.data(), depth_}; }
  // All ranges open on the thread.
  std::size_t open() const;

 private:
  // Ranges of a domain beyond those with names. Once one of its ranges lies too deep, so do those
  // pushed after it: what is popped first has to be what was pushed last.
  struct TooDeep {
    const std::string* domain;
    std::uint32_t ranges;
  };
  int LevelsOf(const std::string& domain) const;
  TooDeep* FindTooDeep(const std::string* domain);

  std::array<const RangeName*, kMaxNamedDepth> names_;
  std::size_t depth_;
  std::array<TooDeep, 8> too_deep_;  // of more domains at once: not followed at all
};

}  // namespace coalcheck::agent
