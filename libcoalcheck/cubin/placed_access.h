// SPDX-License-Identifier: Apache-2.0
//
// Which row of a line sequence an access belongs to, where two inlined calls of one function share
// a line and ptxas started no row between them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/line_program.h"

namespace coalcheck::cubin {

struct PlacedAccess {
  GlobalAccess* access = nullptr;
  std::size_t row = 0;  // in the sequence
  // Where nothing confirms the row's caller: the row of the same line whose call computed the
  // address.
  std::optional<std::size_t> guess;
};

// Accepts each guess that gives its access a call that no other access of the line has or is
// guessed to have. Other guesses are dropped.
void TakeGuesses(const LineSequence& sequence, std::span<PlacedAccess> placed);

}  // namespace coalcheck::cubin
