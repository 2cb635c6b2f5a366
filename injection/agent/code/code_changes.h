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
// that changes them meanwhile ends the process (measured). Any number of changes go on side by
// side, and any number of contexts count side by side; never both.
//
// A change is the application's and goes on after its deadline whatever happens; counting is ours
// and can be left out. So a change that waits keeps counting from beginning, and not the other way
// round; and one that has lost patience still does. What must come about, because the process would
// not end well without it, insists (KeptOut): the next changes wait for it before they are
// announced. Any thread. The thread that began need not be the one that ends.
class CodeChanges {
 public:
  // From here on no counting begins; what is under way is waited for. False: it was not over in
  // time. End is owed in either case.
  bool Begin(Clock& clock, std::chrono::milliseconds deadline);
  void End();

  // Counting may do its work until Release. False: code changes, or waits to.
  bool TryKeepOut();
  // The same for one who keeps changes out already, and so may be what they wait for.
  void KeepOutToo();
  void Release();

  // Whether so many keep changes out.
  bool KeptOutBy(std::size_t holders) const;

 private:
  friend class KeptOut;
  static constexpr std::uint64_t kChange = std::uint64_t{1} << 32;
  std::atomic<std::uint64_t> state_{0};  // changes, in steps of kChange, and who keeps them out
  // A change waited in vain, and nobody has let any change since: whoever keeps them out may be
  // gone. The next does not wait as long again.
  std::atomic<bool> waited_in_vain_{false};
  std::atomic<std::uint32_t> insisting_{0};
};

// Keeps changes out as long as it lives, where that came about in time, in spite of threads that
// change code all the time.
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
