// SPDX-License-Identifier: Apache-2.0
//
// Made at its first use.
#include "injection/process_ranges.h"

#include <pthread.h>

namespace coalcheck {

agent::RangeBook& ProcessRanges() {
  static agent::RangeBook* const ranges = [] {
    static auto* const made = new agent::RangeBook;
    // A child gets the locks as they were: whichever way its parent's ranges came in.
    pthread_atfork(nullptr, nullptr, [] { made->Forked(); });
    return made;
  }();
  return *ranges;
}

}  // namespace coalcheck
