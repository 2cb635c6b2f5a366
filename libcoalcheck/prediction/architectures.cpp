// SPDX-License-Identifier: Apache-2.0
//
// Adds up what each architecture's instructions of a line waste, and compares.
#include "libcoalcheck/prediction/architectures.h"

#include <algorithm>
#include <set>

namespace coalcheck::prediction {

Architectures::Architectures(const HeldCode& code, const CodePrediction& prediction) {
  std::set<std::uint32_t> all;
  for (const auto& [id, cubin] : code.cubins()) all.insert(cubin.sm());
  if (all.size() < 2) return;
  std::map<SourceRow, std::map<std::uint32_t, RowVerdict>> verdicts;
  for (const auto& [id, functions] : prediction.cubins) {
    const cubin::Cubin& cubin = code.cubins().at(id);
    for (const auto& [name, predicted] : functions) {
      const cubin::Function& function = *cubin.FindFunction(name);
      for (const cubin::GlobalAccess& access : function.accesses) {
        if (access.frames.empty()) continue;
        verdicts[RowOf(function.name, access)][cubin.sm()].Add(predicted.accesses.at(access.pc));
      }
    }
  }
  for (const auto& [row, of_each] : verdicts) {
    const auto& latest = *of_each.rbegin();
    const bool is_one = std::ranges::all_of(
        of_each, [&](const auto& one) { return one.second.IsAs(latest.second); });
    rows_.emplace(row, Agreement{is_one, latest.first});
  }
}

Speaks Architectures::Of(std::uint32_t sm, std::string_view function,
                         const cubin::GlobalAccess& access) const {
  const auto found = rows_.find(RowOf(function, access));
  if (found == rows_.end()) return Speaks::kForAll;
  if (!found->second.is_one) return Speaks::kForItself;
  return found->second.latest == sm ? Speaks::kForAll : Speaks::kNot;
}

}  // namespace coalcheck::prediction
