// SPDX-License-Identifier: Apache-2.0
//
// Counts the accesses of each line and call.
#include "libcoalcheck/cubin/placed_access.h"

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <tuple>
#include <utility>

namespace coalcheck::cubin {
namespace {

using Line = std::pair<std::uint32_t, std::uint32_t>;  // and its file
// A line, the line that calls it, and the caller of that line, since rows of one call may number it
// differently; and the kind of access.
using Call = std::tuple<Line, Line, std::uint32_t, AccessKind>;

Call CallOf(const LineSequence& sequence, std::size_t row, AccessKind kind) {
  const LineRow& at = sequence.rows[row];
  const LineRow none{0, 0, 0, 0, 0};
  const bool is_inlined = at.context > 0 && at.context <= sequence.rows.size();
  const LineRow& caller = is_inlined ? sequence.rows[at.context - 1] : none;
  return {{at.file, at.line}, {caller.file, caller.line}, caller.context, kind};
}

}  // namespace

void TakeGuesses(const LineSequence& sequence, std::span<PlacedAccess> placed) {
  const auto likely_call = [&](const PlacedAccess& one) {
    return CallOf(sequence, one.guess.value_or(one.row), one.access->kind);
  };
  absl::flat_hash_map<Call, std::size_t> accesses;
  for (const PlacedAccess& one : placed) ++accesses[likely_call(one)];
  for (PlacedAccess& one : placed) {
    if (one.guess && accesses[likely_call(one)] == 1) one.row = *one.guess;
  }
}

}  // namespace coalcheck::cubin
