// SPDX-License-Identifier: Apache-2.0
//
// What one instruction, access or line did to memory, summed over the launches that were counted.
#pragma once

#include "libcoalcheck/base/units.h"

namespace coalcheck {

struct Counts {
  Requests requests;
  Lanes lanes;  // active ones
  Sectors sectors;
  Sectors ideal;     // that all active lanes' bytes would fill, packed; at most `sectors`
  CacheLines lines;  // of 128 bytes

  Counts& operator+=(const Counts& other) {
    requests += other.requests;
    lanes += other.lanes;
    sectors += other.sectors;
    ideal += other.ideal;
    lines += other.lines;
    return *this;
  }
  friend bool operator==(const Counts&, const Counts&) = default;

  Sectors Wasted() const { return sectors - ideal; }
  // From 0 to 1; 0 when no sector was touched.
  double WastedShare() const { return Per(Wasted(), sectors); }
};

}  // namespace coalcheck
