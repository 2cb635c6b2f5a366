// SPDX-License-Identifier: Apache-2.0
//
// Adds up what each architecture's instructions of a line waste, and compares.
#include "libcoalcheck/prediction/architectures.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace coalcheck::prediction {
namespace {

// What a word depends on.
struct Verdict {
  Counts least, most;
  bool by_data = false;
  std::set<std::string> why;

  void Add(const AccessPrediction& one) {
    least += one.least;
    most += one.most;
    by_data = by_data || one.open.lanes_by_data;
    if (!one.open.why.empty()) why.insert(one.open.why);
  }
  // Loops that one architecture's code unrolls are more instructions, and no other word.
  bool IsAs(const Verdict& other) const {
    constexpr double kClose = 0.001;
    const auto are_close = [](const Counts& a, const Counts& b) {
      return std::abs(a.WastedShare() - b.WastedShare()) < kClose;
    };
    return are_close(least, other.least) && are_close(most, other.most) &&
           by_data == other.by_data && why == other.why;
  }
};

}  // namespace

Architectures::Row Architectures::RowOf(std::string_view function,
                                        const cubin::GlobalAccess& access) {
  std::vector<std::pair<std::string_view, std::uint32_t>> lines;
  for (const cubin::SourceFrame& frame : access.frames) lines.emplace_back(frame.file, frame.line);
  return {function, access.kind, std::move(lines)};
}

Architectures::Architectures(const HeldCode& code, const CodePrediction& prediction) {
  std::set<std::uint32_t> all;
  for (const auto& [id, cubin] : code.cubins()) all.insert(cubin.sm());
  if (all.size() < 2) return;
  std::map<Row, std::map<std::uint32_t, Verdict>> verdicts;
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
