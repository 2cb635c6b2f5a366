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
<<<<<<< HEAD
  double accesses = 0;      // executed by a thread that takes every path of the code, in all rounds
  double instructions = 0;  // the accesses to memory among them
  // Some of them are in loops, or in functions that cannot be followed: the number is a guess.
=======
  double accesses = 0;      // of a thread that goes every way of the code, in all rounds
  double instructions = 0;  // likewise, accesses among them
  // Some of them stand in loops that nobody knows the rounds of, or in functions that nobody can
  // follow: the number is a guess.
>>>>>>> 158ff70 (Foretell first windows by how far the kernel's loops count)
  bool in_loops = false;
};

// Of `kernel` (mangled) with the functions it calls, launched as `launch` says: loops that count up
// to one of its numbers run as many rounds. `cubin` is the whole image. Empty: bytes that are no
// cubin, a kernel that is not in it, or code that cannot be followed.
std::optional<AccessRounds> CountAccessRounds(std::string_view cubin, std::string_view kernel,
                                              const LaunchSize& launch = {});

}  // namespace coalcheck::machine_code
