// SPDX-License-Identifier: Apache-2.0
//
// Which of the launches that every other filter lets through are considered, by their number.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::selection {

// Launches are numbered over the whole process, or for each kernel.
enum class LaunchScope { kProcess, kKernel };

struct LaunchNumber {
  Launches launches;
  LaunchScope scope = LaunchScope::kProcess;
  friend bool operator==(const LaunchNumber&, const LaunchNumber&) = default;
};

// "10", or "kernel:10" for ten of each kernel. Error: anything else.
Result<LaunchNumber> ParseLaunchSkip(std::string_view text);
// The same, from 1.
Result<LaunchNumber> ParseLaunchCount(std::string_view text);

// What a LaunchFilter has to remember, once for the process and once for each kernel.
struct LaunchTurns {
  std::atomic<std::uint64_t> offered{0};  // launches that reached the filter
  std::atomic<std::uint64_t> kept{0};     // launches that were not skipped
};

// --launch-skip and --launch-count; the latter counts launches after the skipped ones.
struct LaunchFilter {
  LaunchNumber skip;
  std::optional<LaunchNumber> count;  // none: all

  // Whether the next launch of the kernel is selected; numbers it in `process` and `kernel`. Any
  // thread.
  bool Admits(LaunchTurns& process, LaunchTurns& kernel) const;
};

}  // namespace coalcheck::selection
