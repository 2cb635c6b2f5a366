// SPDX-License-Identifier: Apache-2.0
//
// One context's gate: launches pass it together, a window has it alone.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "injection/agent/base/device.h"

namespace coalcheck::agent {

// A reader-writer gate with two unusual rules, both against deadlock with the driver:
//  * a writer that waits never holds readers back: a reader may be what another reader, blocked
//    inside the driver, needs to go on;
//  * every wait has a deadline, after which the caller goes on without the gate.
//
//    free ──EnterShared─────▶ readers (1, 2, …) ──LeaveShared of the last──▶ free
//      └───EnterExclusive──▶ one writer ─────────LeaveExclusive───────────▶ free
//
// Any thread; not recursive. The thread that entered need not be the one that leaves.
class Gate {
 public:
  // True: entered, Leave… is owed. False: the deadline passed first.
  bool EnterShared(Clock& clock, std::chrono::milliseconds deadline);
  void LeaveShared();
  bool EnterExclusive(Clock& clock, std::chrono::milliseconds deadline);
  bool TryEnterExclusive();
  void LeaveExclusive();

 private:
  static constexpr std::uint32_t kWriter = 1U << 31;
  std::atomic<std::uint32_t> state_{0};  // kWriter, or the number of readers
};

}  // namespace coalcheck::agent
