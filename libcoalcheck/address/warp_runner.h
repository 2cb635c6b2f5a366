// SPDX-License-Identifier: Apache-2.0
//
// Runs warps of a launch within a number of steps. A warp that takes too long is run again with its
// loops cut short, and so are all warps behind it. Outer loops are cut first: their rounds are
// often alike, while the last round of an inner loop is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "libcoalcheck/address/warp.h"

namespace coalcheck::address {

class WarpRunner {
 public:
  // What one warp may take.
  struct Most {
    std::uint64_t steps = 0;
    std::uint64_t cut_most = 0;  // with its loops cut as far as they can be
    std::uint8_t open_rounds = Warp::kOpenRounds;
    bool keeps_cut = false;     // as in EvaluationLimits
    std::size_t first_cut = 0;  // likewise
  };
  // All have to outlive it. `steps` is what all warps together may still take; it is counted down.
  WarpRunner(const Program& program, const LaunchValues& launch, std::uint64_t& steps, Most most);

  // Runs one warp by `attempt`, again and again until it is done or cannot be cut further.
  using Attempt = std::function<WarpEnd(Warp&, Unknowns&)>;
  WarpEnd Run(const Attempt& attempt);

  // Which of the ways to cut loops was taken at last; the first does not cut.
  std::size_t cut() const { return cut_; }
  bool is_cut() const { return cut_ > 0; }
  std::uint64_t taken() const { return taken_; }  // steps, by the last attempt
  // Symbols and sums of them that were told apart, by all attempts: each takes as long as some
  // steps.
  std::uint64_t symbols() const { return forgotten_ + unknowns_->size(); }
  const Warp& warp() const { return *warp_; }  // as the last attempt left it

 private:
  // Forgets all symbols.
  void Renew();
  WarpEnd Try(const Attempt& attempt);

  const Program& program_;
  const LaunchValues& launch_;
  std::uint64_t& steps_;
  const Most most_;
  std::uint64_t of_warp_ = 0;  // that the warp that is run may still take
  std::uint64_t taken_ = 0;
  std::size_t cut_;
  std::uint64_t forgotten_ = 0;  // symbols
  std::unique_ptr<Unknowns> unknowns_;
  std::unique_ptr<Warp> warp_;
};

// Warps of each block.
std::uint32_t WarpsOf(const LaunchValues& launch);

}  // namespace coalcheck::address
