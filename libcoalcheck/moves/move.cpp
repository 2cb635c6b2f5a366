// SPDX-License-Identifier: Apache-2.0
//
// Names of moves, and finding what one does to an access.
#include "libcoalcheck/moves/move.h"

#include <algorithm>

namespace coalcheck::moves {

bool IsLayout(MoveKind kind) {
  return kind == MoveKind::kAlign || kind == MoveKind::kPadRows || kind == MoveKind::kFieldArrays ||
         kind == MoveKind::kInterleave;
}

std::string_view ToString(MoveKind kind) {
  switch (kind) {
    case MoveKind::kVector:
      return "vector";
    case MoveKind::kExchangeAxes:
      return "exchange_axes";
    case MoveKind::kRenumber:
      return "renumber";
    case MoveKind::kBlockShape:
      return "block_shape";
    case MoveKind::kStriped:
      return "striped";
    case MoveKind::kLanesAlongLoop:
      return "lanes_along_loop";
    case MoveKind::kAlign:
      return "align";
    case MoveKind::kPadRows:
      return "pad_rows";
    case MoveKind::kFieldArrays:
      return "field_arrays";
    case MoveKind::kInterleave:
      return "interleave";
    case MoveKind::kSharedTile:
      break;
  }
  return "shared_tile";
}

std::uint32_t PitchOf(std::uint32_t columns, std::uint32_t width) {
  constexpr std::uint32_t kBankBytes = 4;
  if (width >= kBankBytes) return columns + (columns % 2 == 0 ? 1 : 0);
  std::uint32_t pitch = columns;
  const auto is_odd = [&] { return pitch * width / kBankBytes % 2 != 0; };
  while (pitch * width % kBankBytes != 0 || !is_odd()) ++pitch;
  return pitch;
}

const Change* Move::Find(std::uint32_t instruction) const {
  const auto found = std::ranges::lower_bound(changes, instruction, {}, &Change::instruction);
  return found == changes.end() || found->instruction != instruction ? nullptr : &*found;
}

void Move::AddParameter(std::uint32_t parameter) {
  const auto place = std::ranges::lower_bound(parameters, parameter);
  if (place == parameters.end() || *place != parameter) parameters.insert(place, parameter);
}

}  // namespace coalcheck::moves
