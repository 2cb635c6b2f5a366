// SPDX-License-Identifier: Apache-2.0
//
// What a warp begins with: its place in the grid, in special registers, and where variables lie.
#include <algorithm>
#include <optional>
#include <utility>

#include "libcoalcheck/address/warp.h"

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

// Of clusters whose size the kernel says.
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

// Of the block's thread with that number.
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

}  // namespace

Warp::Seat Warp::SeatOf(Extent index, Extent thread) const {
  Seat seat{launch_.grid, launch_.block, index, thread};
  if (launch_.roles.exchanged != Axis::kX) {
    for (Extent* one : {&seat.grid, &seat.block, &seat.index, &seat.thread}) {
      std::swap(one->x, launch_.roles.exchanged == Axis::kY ? one->y : one->z);
    }
  }
  if (const auto& of = launch_.roles.of) {
    if (launch_.roles.stride > 1) {
      Stride(launch_.roles, seat.block.x, seat.index.x, seat.thread.x);
    }
    MoveTo(of->block.x, seat.block.x, seat.index.x, seat.thread.x);
    MoveTo(of->block.y, seat.block.y, seat.index.y, seat.thread.y);
    MoveTo(of->block.z, seat.block.z, seat.index.z, seat.thread.z);
    seat.grid = of->grid;
    seat.block = of->block;
  }
  return seat;
}

void Warp::Begin(Extent block, std::uint32_t warp) {
  // A step takes as long as some registers do.
  Spend(program_.carried().size() / 8 + rounds_.size() / 8 + turns_.size() / 64);
  exited_ = 0;
  left_ = {};
  conditions_.Forget();
  end_ = WarpEnd::kDone;
  has_open_rounds_ = false;
  local_.clear();
  std::ranges::fill(open_rounds_, std::uint8_t{0});
  std::ranges::fill(turns_, 0U);
  std::ranges::fill(rounds_, 0U);
  // The others are written before they are read.
  for (const Slot slot : program_.carried()) slots_[slot].Fill({});
  Extent thread = ThreadAt(launch_.block, warp * kWarpSize);
  const Seat first = SeatOf(block, thread);
  for (const Program::SpecialSlot& one : program_.specials()) {
    slots_[one.slot].Fill(SpecialOf(one.special, first, warp, 0));
  }
  for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) {
    Advance(launch_.block, thread);
    const Seat seat = SeatOf(block, thread);
    for (const Program::SpecialSlot& one : program_.specials()) {
      if (!DiffersByThread(one.special, launch_.roles)) continue;
      slots_[one.slot].Set(lane, SpecialOf(one.special, seat, warp, lane));
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

Value Warp::SpecialOf(ptx::Special special, const Seat& seat, std::uint32_t warp,
                      std::uint32_t lane) {
  using ptx::Special;
  const Extent& shape = seat.block;
  const Extent& grid = seat.grid;
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
      return number(warp);
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
      if (const auto of_cluster = InCluster(special, seat.index, grid, program_.function())) {
        return number(*of_cluster);
      }
      // Clusters that the launch made, clocks: nothing of it is recorded, and it is the same for
      // all lanes.
      const Origin origin{Origin::Kind::kNotComputed, ptx::kNone};
      return {0, unknowns_.Symbol({3, static_cast<std::uint64_t>(special)}, unknowns_.One(origin))};
    }
  }
}

}  // namespace coalcheck::address
