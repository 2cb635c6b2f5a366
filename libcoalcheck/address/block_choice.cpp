// SPDX-License-Identifier: Apache-2.0
//
// Walks a stratum by a step that shares no factor with its size, so that every prefix is spread.
#include "libcoalcheck/address/block_choice.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace coalcheck::address {
namespace {

// How many elements of one byte a sector holds: rows of that many blocks begin at the same byte of
// a sector again.
constexpr std::uint64_t kResidues = 32;

}  // namespace

BlockChoice::BlockChoice(Extent grid) : grid_{grid.x, grid.y, grid.z}, count_(grid.count()) {
  for (std::size_t i = 0; i < kStrata; ++i) {
    if (SizeOf(i) > 0) ++missing_;
  }
}

std::array<BlockChoice::Axis, 3> BlockChoice::PartOf(std::size_t stratum) const {
  std::array<Axis, 3> part;
  for (std::size_t axis = 0; axis < part.size(); ++axis) {
    const std::uint32_t size = grid_[axis];
    const std::size_t place = stratum % 3;
    stratum /= 3;
    if (place == 0) part[axis] = {0, std::min(size, 1U)};
    if (place == 1) part[axis] = {size - std::min(size, 1U), size > 1 ? 1U : 0U};
    if (place == 2) part[axis] = {1, size > 2 ? size - 2 : 0};
  }
  return part;
}

std::uint64_t BlockChoice::SizeOf(std::size_t stratum) const {
  const std::array<Axis, 3> part = PartOf(stratum);
  return Extent{part[0].size, part[1].size, part[2].size}.count();
}

BlockChoice::Choice BlockChoice::Take(std::size_t stratum) {
  const std::array<Axis, 3> part = PartOf(stratum);
  const std::uint64_t size = SizeOf(stratum);
  // An odd step over a multiple of kResidues: each kResidues places hold every remainder once, as
  // where a block begins in its sector often goes by the remainder of its number. A small part is
  // walked as it is.
  const std::uint64_t places =
      size < kResidues ? size : (size + kResidues - 1) / kResidues * kResidues;
  // Near the golden section.
  std::uint64_t step = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(static_cast<double>(places) * 0.6180339887498949));
  while (std::gcd(step, places) != 1) ++step;
  // Grids have fewer than 2^63 blocks in each stratum that is walked far; a product that wraps
  // would only spread less well.
  std::uint64_t at = walked_[stratum]++ * step % places;
  while (at >= size) at = walked_[stratum]++ * step % places;
  ++taken_[stratum];
  const auto x = static_cast<std::uint32_t>(at % part[0].size);
  const auto y = static_cast<std::uint32_t>(at / part[0].size % part[1].size);
  const auto z = static_cast<std::uint32_t>(at / part[0].size / part[1].size);
  Choice choice;
  choice.index = {part[0].first + x, part[1].first + y, part[2].first + z};
  choice.number = choice.index.x + std::uint64_t{grid_[0]} *
                                       (choice.index.y + std::uint64_t{grid_[1]} * choice.index.z);
  choice.stratum = stratum;
  return choice;
}

std::optional<BlockChoice::Choice> BlockChoice::Next() {
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t i = 0; i < kStrata; ++i) {
    const std::uint64_t size = SizeOf(i);
    if (taken_[i] >= size) continue;
    // A stratum without an evaluated block comes first, then the one whose blocks stand for most
    // others.
    const double stands_for = taken_[i] == 0
                                  ? std::numeric_limits<double>::max()
                                  : static_cast<double>(size) / static_cast<double>(taken_[i] + 1);
    if (best && stands_for <= most) continue;
    best = i;
    most = stands_for;
  }
  if (!best) return std::nullopt;
  return Take(*best);
}

std::vector<double> BlockChoice::Weights() const {
  std::vector<double> weights(kStrata);
  for (std::size_t i = 0; i < kStrata; ++i) {
    if (evaluated_[i] == 0) continue;
    weights[i] = static_cast<double>(SizeOf(i)) / static_cast<double>(evaluated_[i]);
  }
  return weights;
}

}  // namespace coalcheck::address
