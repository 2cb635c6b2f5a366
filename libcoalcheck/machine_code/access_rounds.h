// SPDX-License-Identifier: Apache-2.0
//
// How often a thread of a kernel accesses global memory, as far as its machine code tells.
#pragma once

#include <optional>
#include <string_view>

#include "libcoalcheck/machine_code/launch_values.h"

namespace coalcheck::machine_code {

// How many rounds a loop is taken to run, and one inside another, where the code does not say it.
// Of such loops inside each other two are reckoned with.
inline constexpr double kRoundsOfALoop = 100;
inline constexpr double kRoundsOfAnInnerLoop = 10;

struct AccessRounds {
  double accesses = 0;      // executed by a thread that takes every path of the code, in all rounds
  double instructions = 0;  // the accesses to memory among them
  // Some of them are in loops of an unknown number of rounds, or in functions that cannot be
  // followed: the number is a guess.
  bool in_loops = false;
};

// Of `kernel` (mangled) with the functions it calls, launched as `launch` says: loops that count up
// to one of its numbers run as many rounds. `cubin` is the whole image. Empty: bytes that are no
// cubin, a kernel that is not in it, or code that cannot be followed.
std::optional<AccessRounds> CountAccessRounds(std::string_view cubin, std::string_view kernel,
                                              const LaunchSize& launch = {});

}  // namespace coalcheck::machine_code
