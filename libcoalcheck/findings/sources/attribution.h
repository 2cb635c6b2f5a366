// SPDX-License-Identifier: Apache-2.0
//
// Gives every counted instruction to the source line it was made of, or to a named row.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/line_shown.h"
#include "libcoalcheck/cubin/source_stamps.h"
#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sources/code.h"
#include "libcoalcheck/findings/sources/path_map.h"
#include "libcoalcheck/findings/sums/aggregate.h"

namespace coalcheck::findings {

// What decides which line is shown.
struct SourceView {
  cubin::SourceScope scope;
  PathMap path_map;
  cubin::SourceText& text;
  // What a file is now; without that the text is taken for what was compiled.
  std::function<std::optional<cubin::FileStamp>(const std::string& file)> stamp_of = {};
  // Stacks of the Python that a file was made from, as Python prints them, with a blank line
  // between two; empty: none is known.
  std::function<std::string_view(std::string_view file)> stack_of = {};
};

struct Attribution {
  std::vector<Access> accesses;  // in no order that means anything, but always the same
  std::vector<Unattributed> unattributed;
  std::vector<std::string> kernels_without_lines;  // mangled
  std::vector<LocalMemory> local_memory;
  std::vector<BulkCopies> bulk_copies;
  std::vector<KernelMoves> moves;
  std::vector<FetchedAgain> fetched_again;
};

// Every sector of `aggregate` is in exactly one access or unattributed row.
Attribution Attribute(const Aggregate& aggregate, Code& code, const SourceView& source);

}  // namespace coalcheck::findings
