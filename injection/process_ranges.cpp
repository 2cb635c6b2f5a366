// SPDX-License-Identifier: Apache-2.0
//
// Made at its first use.
#include "injection/process_ranges.h"

namespace coalcheck {

agent::RangeBook& ProcessRanges() {
  static auto* const ranges = new agent::RangeBook;
  return *ranges;
}

}  // namespace coalcheck
