// SPDX-License-Identifier: Apache-2.0
//
// Finding what a move does to an access, and which one is advised.
#include "libcoalcheck/findings/kernel_moves.h"

#include <algorithm>

namespace coalcheck::findings {

const AccessChange* KernelMove::Find(std::size_t access) const {
  const auto found = std::ranges::find(accesses, access, &AccessChange::access);
  return found == accesses.end() ? nullptr : &*found;
}

std::map<std::size_t, const KernelMove*> AdvisedMoves(const std::vector<KernelMoves>& all) {
  std::map<std::size_t, const KernelMove*> advised;
  for (const KernelMoves& kernel : all) {
    for (const KernelMove& move : kernel.moves) {
      if (!move.helps) continue;
      for (const AccessChange& change : move.accesses) {
        if (change.IsLower()) advised.try_emplace(change.access, &move);
      }
    }
  }
  return advised;
}

std::map<std::size_t, const AccessChange*> AdvisedChanges(const std::vector<KernelMoves>& all) {
  std::map<std::size_t, const AccessChange*> advised;
  for (const KernelMoves& kernel : all) {
    for (const KernelMove& move : kernel.moves) {
      if (!move.helps) continue;
      for (const AccessChange& change : move.accesses) {
        const AccessChange*& known = advised[change.access];
        if (known == nullptr || (!known->IsLower() && change.IsLower())) known = &change;
      }
    }
  }
  return advised;
}

}  // namespace coalcheck::findings
