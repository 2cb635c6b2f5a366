// SPDX-License-Identifier: Apache-2.0
//
// Each is made at its first use.
#include "injection/process_books.h"

#include <pthread.h>

namespace coalcheck {
namespace {

template <typename Book>
Book& OfThisProcess() {
  static Book* const book = [] {
    static auto* const made = new Book;
    // A child gets the book's locks as they were, perhaps held for good.
    pthread_atfork(nullptr, nullptr, [] { made->Forked(); });
    return made;
  }();
  return *book;
}

}  // namespace

agent::RangeBook& ProcessRanges() { return OfThisProcess<agent::RangeBook>(); }
agent::SourceBook& ProcessSources() { return OfThisProcess<agent::SourceBook>(); }

}  // namespace coalcheck
