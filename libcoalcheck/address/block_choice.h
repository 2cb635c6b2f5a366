// SPDX-License-Identifier: Apache-2.0
//
// Chooses the blocks of a grid that are evaluated, and says for how many others each stands. Blocks
// at an edge differ from blocks inside, so there are strata: first, inner and last along each axis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/address/launch_values.h"

namespace coalcheck::address {

class BlockChoice {
 public:
  static constexpr std::size_t kStrata = 27;

  explicit BlockChoice(Extent grid);

  std::uint64_t count() const { return count_; }

  struct Choice {
    Extent index;
    std::uint64_t number = 0;  // x fastest
    std::size_t stratum = 0;
  };
  // The next block: first one of each stratum, then one of the stratum whose blocks stand for most
  // others. No block comes twice; empty when none is left.
  std::optional<Choice> Next();
  // Notes that a block of the stratum was evaluated.
  void Count(std::size_t stratum) {
    if (evaluated_[stratum]++ == 0) --missing_;
  }
  // For how many blocks each evaluated one of the stratum stands.
  std::vector<double> Weights() const;
  // Strata that have blocks, of which none was evaluated.
  std::uint64_t MissingStrata() const { return missing_; }
  bool CoversAll() const { return MissingStrata() == 0; }

 private:
  struct Axis {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  // The part of the grid that a stratum is: three axes.
  std::array<Axis, 3> PartOf(std::size_t stratum) const;
  std::uint64_t SizeOf(std::size_t stratum) const;
  // The next block of the stratum, in an order that spreads.
  Choice Take(std::size_t stratum);

  std::array<std::uint32_t, 3> grid_{};
  std::uint64_t count_ = 0;
  std::uint64_t missing_ = 0;  // strata
  std::array<std::uint64_t, kStrata> taken_{};
  std::array<std::uint64_t, kStrata> walked_{};  // places of the walk, those without a block too
  std::array<std::uint64_t, kStrata> evaluated_{};
};

}  // namespace coalcheck::address
