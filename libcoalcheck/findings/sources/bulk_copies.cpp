// SPDX-License-Identifier: Apache-2.0
//
// Counts the instructions of each line by their kind.
#include "libcoalcheck/findings/sources/bulk_copies.h"

#include <map>
#include <optional>
#include <utility>

#include "libcoalcheck/findings/sources/source_lines.h"

namespace coalcheck::findings {

void AddBulkCopies(const cubin::Function& function, const SourceView& source,
                   std::vector<BulkCopies>& rows) {
  std::map<std::optional<Frame>, BulkCopies> lines;
  for (const cubin::UncountedAccess& one : function.bulk) {
    BulkCopies& line = lines[Resolve(one.frames, source).shown];
    if (one.kind == cubin::AccessKind::kLoad) ++line.loads;
    if (one.kind == cubin::AccessKind::kStore) ++line.stores;
    if (one.kind == cubin::AccessKind::kReduction) ++line.reductions;
  }
  for (auto& [shown, line] : lines) {
    line.kernel = function.name;
    line.shown = shown;
    rows.push_back(std::move(line));
  }
}

}  // namespace coalcheck::findings
