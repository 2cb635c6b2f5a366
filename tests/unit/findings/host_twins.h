// SPDX-License-Identifier: Apache-2.0
//
// Kernels that the host runs, too, thread by thread: what each of their requests asks for, by a
// plain loop over all lanes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "libcoalcheck/cubin/access_kind.h"
#include "libcoalcheck/findings/sums/raw_counts.h"

namespace coalcheck::findings {

struct TwinLaunch {
  std::uint32_t blocks = 8;
  std::uint32_t threads = 128;  // of a block
};

// A kernel with its arguments, which point to memory of the host.
struct Twin {
  std::string kernel;
  std::string arguments;  // as a launch has them
  std::function<void()> thread;
};

// Of fixtures/twins.inc, with data of their own.
Twin TwinOf(const std::string& kernel);

// Line, kind and number among those of the line: what an instruction is known by.
using TwinAccess = std::tuple<std::uint32_t, cubin::AccessKind, std::size_t>;
// What the host counts of a launch. The twins have no loops: each access is executed once.
std::map<TwinAccess, RawCounts> CountOnHost(const Twin& twin, const TwinLaunch& launch);

}  // namespace coalcheck::findings
