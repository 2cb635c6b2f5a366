// SPDX-License-Identifier: Apache-2.0
//
// How program counters are sampled, as far as the user can say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::options {

// The time between two samples of a multiprocessor: a power of two of its clock cycles.
class SamplePeriod {
 public:
  static constexpr std::uint32_t kLeast = 5;
  static constexpr std::uint32_t kMost = 31;

  constexpr explicit SamplePeriod(std::uint32_t exponent)
      : exponent_(std::clamp(exponent, kLeast, kMost)) {}
  // "16": 2^16 cycles. Error: what is accepted.
  static Result<SamplePeriod> Parse(std::string_view text);

  constexpr std::uint32_t exponent() const { return exponent_; }
  constexpr Cycles cycles() const { return Cycles(std::uint64_t{1} << exponent_); }
  friend constexpr auto operator<=>(SamplePeriod, SamplePeriod) = default;

 private:
  std::uint32_t exponent_;
};

// kAuto: where it is permitted and there is memory to spare; otherwise the report says so.
enum class CostMode { kAuto, kOff, kOn };

struct PcSamplingOptions {
  CostMode mode = {};
  // A million samples a second on 132 multiprocessors: enough for a kernel of milliseconds, and a
  // tenth of a core to decode.
  SamplePeriod period{SamplePeriod::kLeast};
  Bytes memory;  // at most, for samples that were not read yet
};

}  // namespace coalcheck::options
