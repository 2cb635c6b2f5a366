// SPDX-License-Identifier: Apache-2.0
//
// Keeps two kinds of work apart in the whole process: calls of the driver that load or unload code,
// and counting that begins, is read or ends.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "injection/agent/base/device.h"

namespace coalcheck::agent {

// CUPTI walks its tables of modules, of every context, when counting begins and ends, and a call
// that changes them meanwhile ends the process (measured). So changes, any number, and switching
// counting on or off, in any number of contexts, exclude each other:
//
//    free ──Begin───────▶ changing (1, 2, …) ──End──────▶ free
//      └───TryKeepOut──▶ kept out (1, 2, …) ──Release──▶ free
//
// Changes belong to the application; counting is ours and can be left out. So TryKeepOut fails
// while a change is under way or waits, and a change goes on after its deadline although changes
// are kept out. A switch that the process needs to end well uses KeptOut: later changes wait for it
// before they are announced. Any thread. The thread that began need not be the one that ends.
class CodeChanges {
 public:
  // From here on counting is not switched; waits for switches under way. False: they did not end in
  // time. End is owed in either case.
  bool Begin(Clock& clock, std::chrono::milliseconds deadline);
  void End();

  // Keeps changes out until Release. False: a change is under way or waits.
  bool TryKeepOut();
  // The same for a caller that keeps changes out already: a waiting change may wait for it, and
  // does not hinder it.
  void KeepOutToo();
  void Release();

  // Whether changes are kept out this many times.
  bool KeptOutBy(std::size_t holders) const;

 private:
  friend class KeptOut;
  static constexpr std::uint64_t kChange = std::uint64_t{1} << 32;
  std::atomic<std::uint64_t> state_{0};  // changes, in steps of kChange, and who keeps them out
  // A change waited in vain, and changes have been kept out ever since: the thread that does so may
  // be gone. The next change does not wait as long again.
  std::atomic<bool> waited_in_vain_{false};
  std::atomic<std::uint32_t> insisting_{0};
};

// Keeps changes out while it lives, if it succeeded in time, even against threads that change code
// all the time.
class KeptOut {
 public:
  KeptOut(CodeChanges& changes, Clock& clock, std::chrono::milliseconds patience);
  KeptOut(const KeptOut&) = delete;
  KeptOut& operator=(const KeptOut&) = delete;
  ~KeptOut() {
    if (kept_) changes_.Release();
  }
  explicit operator bool() const { return kept_; }

 private:
  CodeChanges& changes_;
  const bool kept_;
};

}  // namespace coalcheck::agent
