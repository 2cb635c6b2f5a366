// SPDX-License-Identifier: Apache-2.0
//
// What a warp begins with: its place in the grid, in special registers, and where variables lie.
#include <algorithm>

#include "libcoalcheck/address/warp.h"

namespace coalcheck::address {
namespace {

bool DiffersByThread(ptx::Special special) {
  switch (special) {
    case ptx::Special::kTidX:
    case ptx::Special::kTidY:
    case ptx::Special::kTidZ:
    case ptx::Special::kLaneid:
    case ptx::Special::kLanemaskEq:
    case ptx::Special::kLanemaskLe:
    case ptx::Special::kLanemaskLt:
    case ptx::Special::kLanemaskGe:
    case ptx::Special::kLanemaskGt:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Warp::Begin(Extent block, std::uint32_t warp) {
  exited_ = 0;
  left_ = {};
  end_ = WarpEnd::kDone;
  has_open_rounds_ = false;
  local_.clear();
  std::ranges::fill(open_rounds_, std::uint8_t{0});
  std::ranges::fill(turns_, 0U);
  std::ranges::fill(rounds_, 0U);
  for (std::size_t i = 0; i < program_.registers(); ++i) slots_[i].Fill({});
  for (const Program::SpecialSlot& one : program_.specials()) {
    LaneValues& values = slots_[one.slot];
    if (!DiffersByThread(one.special)) {
      values.Fill(SpecialOf(one.special, block, warp * kWarpSize));
      continue;
    }
    values.is_known = true;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      values.Set(lane, SpecialOf(one.special, block, warp * kWarpSize + lane));
    }
  }
  for (const Program::Variable& variable : program_.variables()) {
    Form form = kNoForm;
    if (!variable.is_known) {
      const Origin origin{Origin::Kind::kVariable, variable.symbol};
      form = unknowns_.Symbol({2, variable.symbol}, unknowns_.One(origin));
    }
    slots_[variable.slot].Fill({variable.bits, form});
  }
}

Value Warp::SpecialOf(ptx::Special special, Extent block, std::uint32_t thread) const {
  using ptx::Special;
  const Extent& shape = launch_.block;
  const Extent& grid = launch_.grid;
  const std::uint32_t lane = thread % kWarpSize;
  const auto number = [](std::uint64_t bits) { return Value{bits, kNoForm}; };
  switch (special) {
    case Special::kTidX:
      return number(thread % std::max(shape.x, 1U));
    case Special::kTidY:
      return number(thread / std::max(shape.x, 1U) % std::max(shape.y, 1U));
    case Special::kTidZ:
      return number(thread / std::max(shape.x, 1U) / std::max(shape.y, 1U));
    case Special::kNtidX:
      return number(shape.x);
    case Special::kNtidY:
      return number(shape.y);
    case Special::kNtidZ:
      return number(shape.z);
    case Special::kCtaidX:
      return number(block.x);
    case Special::kCtaidY:
      return number(block.y);
    case Special::kCtaidZ:
      return number(block.z);
    case Special::kNctaidX:
      return number(grid.x);
    case Special::kNctaidY:
      return number(grid.y);
    case Special::kNctaidZ:
      return number(grid.z);
    case Special::kLaneid:
      return number(lane);
    case Special::kWarpid:
      return number(thread / kWarpSize);
    case Special::kNwarpid:
      return number((shape.count() + kWarpSize - 1) / kWarpSize);
    case Special::kLanemaskEq:
      return number(std::uint64_t{1} << lane);
    case Special::kLanemaskLe:
      return number((std::uint64_t{2} << lane) - 1);
    case Special::kLanemaskLt:
      return number((std::uint64_t{1} << lane) - 1);
    case Special::kLanemaskGe:
      return number(Truncate(~((std::uint64_t{1} << lane) - 1), 4));
    case Special::kLanemaskGt:
      return number(Truncate(~((std::uint64_t{2} << lane) - 1), 4));
    case Special::kWarpSize:
      return number(kWarpSize);
    case Special::kDynamicSharedSize:
      return number(launch_.dynamic_shared_bytes);
    default: {
      // Clusters, clocks: nothing of it is recorded, and it is the same for all lanes.
      const Origin origin{Origin::Kind::kNotComputed, 0};
      return {0, unknowns_.Symbol({3, static_cast<std::uint64_t>(special)}, unknowns_.One(origin))};
    }
  }
}

}  // namespace coalcheck::address
