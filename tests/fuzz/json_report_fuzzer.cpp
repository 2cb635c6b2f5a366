// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a JSON report of an older run: no crash, an error that is said, and what is read can be
// compared with itself without a difference, and written as text that moves no cursor.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/comparison/difference.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/diff/diff_writers.h"
#include "tests/fuzz/require.h"

using namespace coalcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto run = comparison::ReadJsonReport(bytes, "x");
  if (!run.ok()) {
    Require(!run.error().empty());
    return 0;
  }
  const comparison::Comparison same =
      comparison::Compare(run.value(), run.value(), comparison::kDefaultTolerance);
  Require(same.differences.size() == same.Number(comparison::Change::kUnchanged));
  comparison::MeasuredRun none = run.value();
  none.places.clear();
  const comparison::Comparison gone = comparison::Compare(run.value(), none, 0);
  for (std::string text :
       {output::DiffText(gone, output::Style(false)), output::DiffMarkdown(gone)}) {
    Require(!text.empty());
    std::ranges::replace(text, '\n', ' ');
    Require(words::Printable(text) == text);
  }
  Require(!output::DiffJson(gone).empty());
  return 0;
}
