// SPDX-License-Identifier: Apache-2.0
//
// A tool for NVTX made of the agent's own listener and book, which says what is open when asked.
#include <string>

#include "injection/agent/ranges/range_book.h"
#include "injection/nvtx/listener.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace coalcheck;  // NOLINT(google-build-using-namespace): one small program

agent::RangeBook& Book() {
  static auto* const book = new agent::RangeBook;
  return *book;
}

}  // namespace

EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  return nvtx::Attach(get_table, Book()) ? 1 : 0;
}

EXPORT int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* module) {
  return nvtx::AttachExtension(module, Book()) ? 1 : 0;
}

// What is open on the calling thread: "step, solver:run*", with a star for a start/end range and a
// dash for one without a name. Good until the thread asks again.
EXPORT const char* OpenRangesNow() {
  thread_local std::string text;
  text.clear();
  for (const OpenRange& range : Book().Describe(Book().Current())) {
    if (!text.empty()) text += ", ";
    if (!range.domain.empty()) text += range.domain + ":";
    text += range.name.empty() ? "-" : range.name;
    if (range.kind == RangeKind::kStartEnd) text += "*";
  }
  if (text.empty()) text = "nothing";
  return text.c_str();
}

// How many pops and ends had no counterpart.
EXPORT int Mistakes() {
  const agent::RangeLosses losses = Book().losses();
  return static_cast<int>(losses.unbalanced_pops + losses.unknown_ends);
}
