// SPDX-License-Identifier: Apache-2.0
//
// Fills the registers that a warp begins with: its position in the grid, in special registers, and
// the addresses of variables.
#include <algorithm>
#include <optional>
#include <utility>

#include "libcoalcheck/address/special_registers.h"
#include "libcoalcheck/address/warp_state.h"

namespace coalcheck::address {
namespace {

// Where a thread that has place `at` of `grid` blocks along an axis is in blocks of another size.
void MoveTo(std::uint32_t size, std::uint32_t old_size, std::uint32_t& index, std::uint32_t& at) {
  const std::uint64_t place = std::uint64_t{index} * old_size + at;
  index = static_cast<std::uint32_t>(place / std::max(size, 1U));
  at = static_cast<std::uint32_t>(place % std::max(size, 1U));
}

// Which place along x that thread has, where `run` neighbours are `stride` places apart.
void Stride(const ThreadRoles& roles, std::uint32_t size, std::uint32_t& index, std::uint32_t& at) {
  const std::uint64_t place = std::uint64_t{index} * size + at;
  const std::uint64_t all = roles.stride * roles.run;  // places that such runs fill
  const std::uint64_t taken =
      place / all * all + place % roles.run * roles.stride + place % all / roles.run;
  index = static_cast<std::uint32_t>(taken / size);
  at = static_cast<std::uint32_t>(taken % size);
}

bool DiffersByThread(ptx::Special special, const ThreadRoles& roles) {
  return IsOfBlock(special) ? roles.of.has_value() : IsOfThread(special);
}

// A special register of a cluster whose size the kernel says; empty for any other.
std::optional<std::uint64_t> InCluster(ptx::Special special, const Extent& index,
                                       const Extent& grid, const ptx::Function& kernel) {
  using ptx::Special;
  const auto& [x, y, z] = kernel.required_cluster;
  if (x == 0 || y == 0 || z == 0) return std::nullopt;
  switch (special) {
    case Special::kClusterCtaidX:
      return index.x % x;
    case Special::kClusterCtaidY:
      return index.y % y;
    case Special::kClusterCtaidZ:
      return index.z % z;
    case Special::kClusterNctaidX:
      return x;
    case Special::kClusterNctaidY:
      return y;
    case Special::kClusterNctaidZ:
      return z;
    case Special::kClusteridX:
      return index.x / x;
    case Special::kClusteridY:
      return index.y / y;
    case Special::kClusteridZ:
      return index.z / z;
    case Special::kNclusteridX:
      return grid.x / x;
    case Special::kNclusteridY:
      return grid.y / y;
    case Special::kNclusteridZ:
      return grid.z / z;
    case Special::kClusterCtarank:
      return index.x % x + std::uint64_t{x} * (index.y % y + std::uint64_t{y} * (index.z % z));
    case Special::kClusterNctarank:
      return std::uint64_t{x} * y * z;
    default:
      return std::nullopt;
  }
}

// The position of the block's thread with that number.
Extent ThreadAt(const Extent& shape, std::uint32_t number) {
  const std::uint32_t row = number / std::max(shape.x, 1U);
  return {number % std::max(shape.x, 1U), row % std::max(shape.y, 1U), row / std::max(shape.y, 1U)};
}

// x counts fastest.
void Advance(const Extent& shape, Extent& thread) {
  if (++thread.x < shape.x) return;
  thread.x = 0;
  if (++thread.y < shape.y) return;
  thread.y = 0;
  ++thread.z;
}

// The position of a thread, as the code sees it.
struct Seat {
  Extent grid;
  Extent block;
  Extent index;   // of the block
  Extent thread;  // in it
};

Seat SeatOf(const LaunchValues& launch, Extent index, Extent thread) {
  Seat seat{launch.grid, launch.block, index, thread};
  if (launch.roles.exchanged != Axis::kX) {
    for (Extent* one : {&seat.grid, &seat.block, &seat.index, &seat.thread}) {
      std::swap(one->x, launch.roles.exchanged == Axis::kY ? one->y : one->z);
    }
  }
  if (const auto& of = launch.roles.of) {
    if (launch.roles.stride > 1) {
      Stride(launch.roles, seat.block.x, seat.index.x, seat.thread.x);
    }
    MoveTo(of->block.x, seat.block.x, seat.index.x, seat.thread.x);
    MoveTo(of->block.y, seat.block.y, seat.index.y, seat.thread.y);
    MoveTo(of->block.z, seat.block.z, seat.index.z, seat.thread.z);
    seat.grid = of->grid;
    seat.block = of->block;
  }
  return seat;
}

// What another launch of the kernel may have otherwise than the example that stands for it.
bool IsOpen(ptx::Special special, const LaunchValues& launch) {
  using ptx::Special;
  switch (special) {
    case Special::kWarpid:  // where the hardware keeps the warp: no number of its threads
      return true;
    case Special::kNwarpid:
      return launch.block_is_open;
    case Special::kDynamicSharedSize:
      return !launch.dynamic_shared_bytes;
    case Special::kNclusteridX:
    case Special::kNclusteridY:
    case Special::kNclusteridZ:
      return launch.grid_is_open;
    default:
      return false;
  }
}

// The same for all lanes, each time.
Value UnknownOf(WarpState& warp, ptx::Special special) {
  const Origin origin{Origin::Kind::kNotComputed, ptx::kNone};
  const Unknowns::Key key{Unknowns::Of::kSpecial, static_cast<std::uint64_t>(special)};
  return {0, warp.unknowns.Symbol(key, warp.unknowns.One(origin))};
}

// The special register's value in that lane.
Value SpecialOf(WarpState& warp, ptx::Special special, const Seat& seat, std::uint32_t lane) {
  using ptx::Special;
  const Extent& shape = seat.block;
  const Extent& grid = seat.grid;
  const auto number = [](std::uint64_t bits) { return Value{bits, kNoForm}; };
  if (IsOpen(special, warp.launch)) return UnknownOf(warp, special);
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
    case Special::kNwarpid:
      return number((warp.launch.block.count() + kWarpSize - 1) / kWarpSize);
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
      return number(*warp.launch.dynamic_shared_bytes);
    default: {
      if (const auto of_cluster = InCluster(special, seat.index, grid, warp.program.function())) {
        return number(*of_cluster);
      }
      // Clusters that the launch made: nothing of them is recorded, and it is the same for all
      // lanes.
      return UnknownOf(warp, special);
    }
  }
}

}  // namespace

void WarpState::Begin(Extent block, std::uint32_t warp) {
  // Setting some eight registers takes as long as one step.
  Spend(program.carried().size() / 8 + turns.size() / 64);
  conditions.Forget();
  own_memory.clear();
  stored_sizes = 0;
  std::ranges::fill(turns, 0U);
  // Only carried registers can be read before they are written.
  for (const Slot slot : program.carried()) slots[slot].Fill({});
  Spend(program.undefined().size());
  for (const Slot slot : program.undefined()) {
    const Origins origins = unknowns.One({Origin::Kind::kNotComputed, ptx::kNone});
    const Unknowns::Key key{Unknowns::Of::kUndefined, slot};
    slots[slot].FillWithLaneSymbols({0, unknowns.LaneSymbols(key, 0, origins)});
  }
  Extent thread = ThreadAt(launch.block, warp * kWarpSize);
  const Seat first = SeatOf(launch, block, thread);
  for (const Program::SpecialSlot& one : program.specials()) {
    slots[one.slot].Fill(SpecialOf(*this, one.special, first, 0));
  }
  for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) {
    Advance(launch.block, thread);
    const Seat seat = SeatOf(launch, block, thread);
    for (const Program::SpecialSlot& one : program.specials()) {
      if (!DiffersByThread(one.special, launch.roles)) continue;
      slots[one.slot].Set(lane, SpecialOf(*this, one.special, seat, lane));
    }
  }
  for (const Program::Variable& variable : program.variables()) {
    Form form = kNoForm;
    if (!variable.is_known) {
      const Origin origin{Origin::Kind::kVariable, variable.symbol};
      form = unknowns.Symbol({Unknowns::Of::kVariable, variable.symbol}, unknowns.One(origin));
    }
    slots[variable.slot].Fill({variable.bits, form});
  }
}

}  // namespace coalcheck::address
