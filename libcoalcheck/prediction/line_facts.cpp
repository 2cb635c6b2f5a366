// SPDX-License-Identifier: Apache-2.0
//
// Joins them line by line, with all frames of inlined calls.
#include "libcoalcheck/prediction/line_facts.h"

#include <algorithm>

namespace coalcheck::prediction {

void BlockShares::Add(const AccessPrediction& access, const Counts& counts) {
  if (counts.sectors == Sectors(0)) return;
  are_open_ = are_open_ || access.round_block;
  blocks_[access.round_block] += counts;
}

double BlockShares::least() const {
  double least = 1;
  for (const auto& [block, counts] : blocks_) least = std::min(least, counts.WastedShare());
  return least;
}

double BlockShares::most() const {
  double most = 0;
  for (const auto& [block, counts] : blocks_) most = std::max(most, counts.WastedShare());
  return most;
}

LineFacts::LineFacts(const cubin::Function& function, const FunctionPrediction& prediction) {
  for (const cubin::GlobalAccess& access : function.accesses) {
    const AccessPrediction& one = prediction.accesses.at(access.pc);
    LineFact& line = lines_[LineOf(access)];
    line.by_data = line.by_data || one.open.lanes_by_data;
    line.shares.Add(one, one.least);
  }
}

LineFacts::Line LineFacts::LineOf(const cubin::GlobalAccess& access) {
  Line line{access.kind, {}};
  for (const cubin::SourceFrame& one : access.frames) {
    line.second.emplace_back(one.function, one.file, one.line);
  }
  return line;
}

}  // namespace coalcheck::prediction
