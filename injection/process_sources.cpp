// SPDX-License-Identifier: Apache-2.0
//
// Made at its first use.
#include "injection/process_sources.h"

#include <pthread.h>

namespace coalcheck {

agent::SourceBook& ProcessSources() {
  static agent::SourceBook* const sources = [] {
    static auto* const made = new agent::SourceBook;
    // A child gets the lock as it was, perhaps held for good.
    pthread_atfork(nullptr, nullptr, [] { made->Forked(); });
    return made;
  }();
  return *sources;
}

}  // namespace coalcheck
