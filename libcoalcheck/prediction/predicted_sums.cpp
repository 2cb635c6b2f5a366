// SPDX-License-Identifier: Apache-2.0
//
// Compares shares of waste; of two that waste alike, the one that asks for more is taken.
#include "libcoalcheck/prediction/predicted_sums.h"

#include <algorithm>
#include <utility>

namespace coalcheck::prediction {
namespace {

using address::Sums;

bool WastesMore(const Sums& a, const Sums& b) {
  return std::pair(WastedShare(a), a.sectors) > std::pair(WastedShare(b), b.sectors);
}

bool WastesLess(const Sums& a, const Sums& b) {
  return std::pair(WastedShare(a), -a.sectors) < std::pair(WastedShare(b), -b.sectors);
}

constexpr double kAnySectors = kWarpSize;

// `sectors`: of each request, that it may not ask for, or ask for as well.
void Widen(double sectors, Sums& least, Sums& most) {
  least.sectors = std::max(least.ideal, least.sectors - sectors * least.requests);
  most.sectors += sectors * most.requests;
}

void Widen(double sectors, Extremes& possible) {
  if (possible.is_empty()) return;
  Sums least = possible.least();
  Sums most = possible.most();
  Widen(sectors, least, most);
  possible.Include(least, most);
}

}  // namespace

double WastedShare(const Sums& sums) {
  return sums.sectors > 0 ? (sums.sectors - sums.ideal) / sums.sectors : 0;
}

void Extremes::Include(const Sums& least, const Sums& most) {
  if (is_empty_ || WastesLess(least, least_)) least_ = least;
  if (is_empty_ || WastesMore(most, most_)) most_ = most;
  is_empty_ = false;
}

void Extremes::Include(const Extremes& other) {
  if (!other.is_empty_) Include(other.least_, other.most_);
}

void PredictedSums::AllowFor(address::RoundPart rounds) {
  if (rounds == address::RoundPart::kSteady) return;
  const double sectors = rounds == address::RoundPart::kStart ? 1 : kAnySectors;
  Widen(sectors, given_least, given_most);
  Widen(sectors, possible);
}

void PredictedSums::AllowForOtherThreads() { Widen(kAnySectors, possible); }

Extremes PredictedSums::All() const {
  Extremes all = possible;
  if (given_most.requests > 0) all.Include(given_least, given_most);
  return all;
}

}  // namespace coalcheck::prediction
