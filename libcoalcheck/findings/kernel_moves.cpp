// SPDX-License-Identifier: Apache-2.0
//
// Finding what a move does to an access.
#include "libcoalcheck/findings/kernel_moves.h"

#include <algorithm>

namespace coalcheck::findings {

const AccessChange* KernelMove::Find(std::size_t access) const {
  const auto found = std::ranges::find(accesses, access, &AccessChange::access);
  return found == accesses.end() ? nullptr : &*found;
}

}  // namespace coalcheck::findings
