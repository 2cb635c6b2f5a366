// SPDX-License-Identifier: Apache-2.0
//
// The one variable.
#include "injection/agent/base/thread_state.h"

#include <type_traits>

namespace coalcheck::agent {

ThreadState& ThisThread() {
  static_assert(std::is_trivially_destructible_v<ThreadState>);
  constinit thread_local ThreadState state;
  return state;
}

}  // namespace coalcheck::agent
