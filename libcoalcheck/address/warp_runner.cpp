// SPDX-License-Identifier: Apache-2.0
//
// The ways to cut loops, from the gentlest on.
#include "libcoalcheck/address/warp_runner.h"

#include <algorithm>
#include <array>

namespace coalcheck::address {
namespace {

// Rounds of each loop where a warp takes more steps than it may.
constexpr std::array<Warp::Rounds, 6> kCuts = {{{0, 0}, {8, 0}, {2, 0}, {8, 32}, {4, 8}, {2, 2}}};
// Symbols are forgotten between warps when there are that many.
constexpr std::size_t kManyForms = 1U << 14U;

bool IsTooLong(WarpEnd end) {
  return end == WarpEnd::kOutOfSteps || end == WarpEnd::kTooManyUnknowns;
}

}  // namespace

WarpRunner::WarpRunner(const Program& program, const LaunchValues& launch, std::uint64_t& steps,
                       Most most)
    : program_(program),
      launch_(launch),
      steps_(steps),
      most_(most),
      cut_(std::min(most.first_cut, kCuts.size() - 1)) {
  Renew();
}

void WarpRunner::Renew() {
  if (unknowns_ != nullptr) forgotten_ += unknowns_->size();
  unknowns_ = std::make_unique<Unknowns>();
  warp_ = std::make_unique<Warp>(program_, launch_, *unknowns_, of_warp_);
  warp_->LimitRounds(kCuts[cut_], most_.keeps_cut);
  warp_->LimitOpenRounds(most_.open_rounds);
}

WarpEnd WarpRunner::Try(const Attempt& attempt) {
  const bool is_last = cut_ + 1 == kCuts.size();
  const std::uint64_t may_take = std::min(steps_, is_last ? most_.cut_most : most_.steps);
  of_warp_ = may_take;
  const WarpEnd end = attempt(*warp_, *unknowns_);
  taken_ = may_take - of_warp_;
  steps_ -= taken_;
  return end;
}

WarpEnd WarpRunner::Run(const Attempt& attempt) {
  if (unknowns_->size() > kManyForms) Renew();
  WarpEnd end = Try(attempt);
  const std::vector<ptx::Loop>& loops = program_.flow().loops();
  const bool are_nested = !std::ranges::all_of(loops, &ptx::Loop::is_innermost);
  while (IsTooLong(end) && !loops.empty() && cut_ + 1 < kCuts.size() && steps_ > 0) {
    ++cut_;
    if (!are_nested && kCuts[cut_].innermost == 0) continue;
    Renew();
    end = Try(attempt);
  }
  return end;
}

std::uint32_t WarpsOf(const LaunchValues& launch) {
  constexpr std::uint64_t kMostWarps = 32;  // of a block: no GPU takes more
  const std::uint64_t warps = (launch.block.count() + kWarpSize - 1) / kWarpSize;
  return static_cast<std::uint32_t>(std::min(warps, kMostWarps));
}

}  // namespace coalcheck::address
