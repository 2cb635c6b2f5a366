// SPDX-License-Identifier: Apache-2.0
//
// Pointers that are equal in the launches that were evaluated point to one array.
#include "libcoalcheck/findings/sources/array_users.h"

#include <algorithm>

#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/moves/try_moves.h"

namespace coalcheck::findings {

void ArrayUsers::Note(const std::string& kernel, const ptx::Function& function,
                      const address::LaunchValues& launch, std::uint32_t parameter) {
  const auto place = moves::PlaceOf(function, launch, {parameter, 0});
  if (place) places_[kernel][parameter] = *place;
}

void ArrayUsers::Note(const std::string& kernel, const Explanations& explanations,
                      std::optional<std::uint32_t> parameter) {
  if (!parameter || explanations.values() == nullptr) return;
  Note(kernel, explanations.formulas().function(), *explanations.values(), *parameter);
}

std::vector<std::string> ArrayUsers::OthersOf(const std::string& kernel,
                                              const moves::Move& move) const {
  std::vector<std::string> others;
  const auto mine = places_.find(kernel);
  // Where an array begins, its pointer says to all of them.
  const bool moves_data = moves::IsLayout(move.kind) && move.kind != moves::MoveKind::kAlign;
  if (!moves_data || mine == places_.end()) return others;
  for (const auto& [name, places] : places_) {
    const bool shares = std::ranges::any_of(places, [&](const auto& one) {
      return std::ranges::any_of(move.parameters, [&](std::uint32_t parameter) {
        const auto place = mine->second.find(parameter);
        return place != mine->second.end() && place->second == one.second;
      });
    });
    if (shares && name != kernel) others.push_back(name);
  }
  return others;
}

void ArrayUsers::Finish(std::vector<KernelMoves>& all) const {
  for (KernelMoves& kernel : all) {
    for (KernelMove& one : kernel.moves) {
      one.other_kernels = OthersOf(kernel.kernel, one.move);
    }
    const auto end = std::ranges::find_if(kernel.moves, [&](const KernelMove& one) {
      return !one.helps || !moves::BringsAsMuch(one.move, kernel.moves.front().move);
    });
    std::stable_partition(kernel.moves.begin(), end,
                          [](const KernelMove& one) { return one.other_kernels.empty(); });
  }
}

}  // namespace coalcheck::findings
