// SPDX-License-Identifier: Apache-2.0
//
// One value for each counter that coalcheck knows, of an instruction of which the kind is not
// known.
#pragma once

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cubin/access_kind.h"

namespace coalcheck::findings {

struct RawCounts {
  Counts direct;  // requests and lanes of everything but async copies
  Requests async_requests;
  Lanes async_lanes;

  RawCounts& operator+=(const RawCounts& other) {
    direct += other.direct;
    async_requests += other.async_requests;
    async_lanes += other.async_lanes;
    return *this;
  }
  // What counters would have shown of an instruction of that kind.
  static RawCounts From(const Counts& counts, cubin::AccessKind kind) {
    RawCounts raw;
    raw.direct = counts;
    if (kind == cubin::AccessKind::kAsyncCopy) {
      raw.async_requests = counts.requests;
      raw.async_lanes = counts.lanes;
    }
    return raw;
  }
  // Requests and lanes of an instruction of that kind.
  Counts Of(cubin::AccessKind kind) const {
    Counts counts = direct;
    if (kind == cubin::AccessKind::kAsyncCopy) {
      counts.requests = async_requests;
      counts.lanes = async_lanes;
    }
    return counts;
  }
  // Those of an instruction of unknown kind: an instruction has one of the two, not both.
  Counts OfUnknownKind() const {
    Counts counts = direct;
    counts.requests += async_requests;
    counts.lanes += async_lanes;
    return counts;
  }
};

}  // namespace coalcheck::findings
