// SPDX-License-Identifier: Apache-2.0
//
// Counts that know what they count. A sector is never added to a request by accident, and a count
// that came from a hostile file cannot overflow: sums stop at the largest value, differences at 0.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace coalcheck {

// A non-negative count of `Tag`. Arithmetic saturates.
template <typename Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::uint64_t count) : count_(count) {}

  constexpr std::uint64_t count() const { return count_; }

  constexpr Quantity& operator+=(Quantity other) {
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - count_;
    count_ += other.count_ < room ? other.count_ : room;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.count_ > b.count_ ? a.count_ - b.count_ : 0);
  }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  std::uint64_t count_ = 0;
};

// The average number of `a` per `b`, 0 when there is no `b`.
template <typename A, typename B>
constexpr double Per(Quantity<A> a, Quantity<B> b) {
  return b.count() == 0 ? 0.0 : static_cast<double>(a.count()) / static_cast<double>(b.count());
}

using Bytes = Quantity<struct BytesTag>;
// One request is one warp instruction that reached the memory pipe.
using Requests = Quantity<struct RequestsTag>;
// Active lanes (threads whose predicate was on), summed over requests: 1 to 32 each.
using Lanes = Quantity<struct LanesTag>;
// 32-byte sectors touched.
using Sectors = Quantity<struct SectorsTag>;
// 128-byte cache lines touched.
using CacheLines = Quantity<struct CacheLinesTag>;
// Samples of warps' program counters.
using Samples = Quantity<struct SamplesTag>;
// Clock cycles of a multiprocessor.
using Cycles = Quantity<struct CyclesTag>;
// Kernel launches.
using Launches = Quantity<struct LaunchesTag>;

inline constexpr Bytes kSectorSize{32};
inline constexpr Bytes kCacheLineSize{128};
inline constexpr std::uint32_t kWarpSize = 32;

}  // namespace coalcheck
