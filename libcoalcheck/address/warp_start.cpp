// SPDX-License-Identifier: Apache-2.0
//
// What a warp begins with: its place in the grid, in special registers, and where variables lie.
#include <algorithm>
#include <utility>

#include "libcoalcheck/address/warp.h"

namespace coalcheck::address {
namespace {

// What the code sees of where a thread is.
struct Seat {
  Extent grid;
  Extent block;
  Extent index;   // of the block
  Extent thread;  // in it
};

// Where a thread that has place `at` of `grid` blocks along an axis is in blocks of another size.
void MoveTo(std::uint32_t size, std::uint32_t old_size, std::uint32_t& index, std::uint32_t& at) {
  const std::uint64_t place = std::uint64_t{index} * old_size + at;
  index = static_cast<std::uint32_t>(place / std::max(size, 1U));
  at = static_cast<std::uint32_t>(place % std::max(size, 1U));
}

// Which place along x the thread at the seat has, where `run` neighbours are `stride` places apart.
void Stride(const ThreadRoles& roles, Seat& seat) {
  const std::uint64_t place = std::uint64_t{seat.index.x} * seat.block.x + seat.thread.x;
  const std::uint64_t all = roles.stride * roles.run;  // places that such runs fill
  const std::uint64_t taken =
      place / all * all + place % roles.run * roles.stride + place % all / roles.run;
  seat.index.x = static_cast<std::uint32_t>(taken / seat.block.x);
  seat.thread.x = static_cast<std::uint32_t>(taken % seat.block.x);
}

Seat SeatOf(const LaunchValues& launch, Extent index, std::uint32_t thread) {
  const Extent& shape = launch.block;
  const std::uint32_t row = thread / std::max(shape.x, 1U);
  Seat seat{
      launch.grid,
      shape,
      index,
      {thread % std::max(shape.x, 1U), row % std::max(shape.y, 1U), row / std::max(shape.y, 1U)}};
  if (launch.roles.exchanged != Axis::kX) {
    for (Extent* one : {&seat.grid, &seat.block, &seat.index, &seat.thread}) {
      std::swap(one->x, launch.roles.exchanged == Axis::kY ? one->y : one->z);
    }
  }
  if (const auto& of = launch.roles.of) {
    if (launch.roles.stride > 1) Stride(launch.roles, seat);
    MoveTo(of->block.x, seat.block.x, seat.index.x, seat.thread.x);
    MoveTo(of->block.y, seat.block.y, seat.index.y, seat.thread.y);
    MoveTo(of->block.z, seat.block.z, seat.index.z, seat.thread.z);
    seat.grid = of->grid;
    seat.block = of->block;
  }
  return seat;
}

bool DiffersByThread(ptx::Special special, const ThreadRoles& roles) {
  switch (special) {
    case ptx::Special::kCtaidX:
    case ptx::Special::kCtaidY:
    case ptx::Special::kCtaidZ:
      return roles.of.has_value();
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
  // A step takes as long as some registers do.
  Spend(program_.registers() / 8 + rounds_.size() / 8 + turns_.size() / 64);
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
    if (!DiffersByThread(one.special, launch_.roles)) {
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
  const Seat seat = SeatOf(launch_, block, thread);
  const Extent& shape = seat.block;
  const Extent& grid = seat.grid;
  const std::uint32_t lane = thread % kWarpSize;
  const auto number = [](std::uint64_t bits) { return Value{bits, kNoForm}; };
  switch (special) {
    case Special::kTidX:
      return number(seat.thread.x);
    case Special::kTidY:
      return number(seat.thread.y);
    case Special::kTidZ:
      return number(seat.thread.z);
    case Special::kNtidX:
      return number(shape.x);
    case Special::kNtidY:
      return number(shape.y);
    case Special::kNtidZ:
      return number(shape.z);
    case Special::kCtaidX:
      return number(seat.index.x);
    case Special::kCtaidY:
      return number(seat.index.y);
    case Special::kCtaidZ:
      return number(seat.index.z);
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
      return number((launch_.block.count() + kWarpSize - 1) / kWarpSize);
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
