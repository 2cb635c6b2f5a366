// SPDX-License-Identifier: Apache-2.0
//
// Adds up what the instructions of a line waste.
#include "libcoalcheck/prediction/row_verdict.h"

#include <cmath>

namespace coalcheck::prediction {

SourceRow RowOf(std::string_view function, const cubin::GlobalAccess& access) {
  std::vector<std::pair<std::string_view, std::uint32_t>> lines;
  for (const cubin::SourceFrame& frame : access.frames) lines.emplace_back(frame.file, frame.line);
  return {function, access.kind, std::move(lines)};
}

void RowVerdict::Add(const AccessPrediction& one) {
  least_ += one.least;
  most_ += one.most;
  by_data_ = by_data_ || one.open.lanes_by_data;
  if (!one.open.why.empty()) why_.insert(one.open.why);
}

bool RowVerdict::IsAs(const RowVerdict& other) const {
  constexpr double kClose = 0.001;
  const auto are_close = [](const Counts& a, const Counts& b) {
    return std::abs(a.WastedShare() - b.WastedShare()) < kClose;
  };
  return are_close(least_, other.least_) && are_close(most_, other.most_) &&
         by_data_ == other.by_data_ && why_ == other.why_;
}

}  // namespace coalcheck::prediction
