// SPDX-License-Identifier: Apache-2.0
//
// Compares what kernels say whose names stand for different code, and functions that several files
// hold.
#include "libcoalcheck/prediction/shared_rows.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace coalcheck::prediction {

SharedRows::SharedRows(const HeldCode& code, const CodePrediction& prediction) {
  // By architecture and row what each cubin says.
  std::map<std::pair<std::uint32_t, SourceRow>, std::map<CubinId, RowVerdict>> verdicts;
  for (const auto& [id, functions] : prediction.cubins) {
    const cubin::Cubin& cubin = code.cubins().at(id);
    for (const auto& [name, predicted] : functions) {
      if (!code.IsAmbiguous(name) && !code.IsFunctionOfMany(name)) continue;
      const cubin::Function& function = *cubin.FindFunction(name);
      for (const cubin::GlobalAccess& access : function.accesses) {
        verdicts[{cubin.sm(), RowOf(function.name, access)}][id].Add(
            predicted.accesses.at(access.pc));
      }
    }
  }
  for (const auto& [row, of_each] : verdicts) {
    const RowVerdict& first = of_each.begin()->second;
    const bool is_one =
        std::ranges::all_of(of_each, [&](const auto& one) { return one.second.IsAs(first); });
    if (is_one) continue;
    rows_[row];
    rows_[{0, row.second}];
  }
  for (const auto& [row, of_each] : verdicts) {
    for (const std::uint32_t sm : {row.first, 0U}) {
      const auto found = rows_.find({sm, row.second});
      if (found == rows_.end()) continue;
      Wasted& wasted = found->second;
      for (const auto& [id, verdict] : of_each) {
        wasted.least = std::min(wasted.least, verdict.LeastShare());
        wasted.most = std::max(wasted.most, verdict.MostShare());
        wasted.is_reached = wasted.is_reached && verdict.IsReached();
      }
    }
  }
}

}  // namespace coalcheck::prediction
