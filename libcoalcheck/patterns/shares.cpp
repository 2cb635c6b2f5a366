// SPDX-License-Identifier: Apache-2.0
//
// Joins what cannot be told apart.
#include "libcoalcheck/patterns/shares.h"

#include <algorithm>
#include <utility>

#include "libcoalcheck/patterns/classify.h"

namespace coalcheck::patterns {
namespace {

bool AreOne(const Candidate& a, const Candidate& b) {
  return a.pattern == b.pattern && a.parameter.Meets(b.parameter);
}

bool AreOne(const Classification& a, const Classification& b) {
  return std::ranges::equal(
      a.candidates, b.candidates,
      [](const Candidate& one, const Candidate& other) { return AreOne(one, other); });
}

void Join(const Share& share, Share& into) {
  for (std::size_t i = 0; i < into.pattern.candidates.size(); ++i) {
    into.pattern.candidates[i].parameter.Include(share.pattern.candidates[i].parameter);
  }
  into.pattern.confidence = std::min(into.pattern.confidence, share.pattern.confidence);
  into.counts += share.counts;
  if (into.width != share.width) into.width = Bytes(0);
  if (into.waste != share.waste) into.waste = Waste::kUnknown;
}

}  // namespace

void AddShare(const Share& share, std::vector<Share>& shares) {
  Share added = share;
  const auto join = [&] {
    const auto found = std::ranges::find_if(
        shares, [&](const Share& other) { return AreOne(other.pattern, added.pattern); });
    if (found == shares.end()) return false;
    Join(added, *found);
    return true;
  };
  if (join()) return;
  if (shares.size() + 1 >= kMostShares) {
    added.pattern = {{{}}, Confidence::kLow};
    if (join()) return;
  }
  shares.push_back(std::move(added));
}

void AddEvidence(const Evidence& evidence, std::vector<Share>& shares) {
  const Classification pattern = Classify(evidence);
  AddShare({pattern, evidence.counts, evidence.width, JudgeWaste(evidence, pattern)}, shares);
}

void SettleShares(std::vector<Share>& shares) {
  for (std::size_t before = 0; before != shares.size();) {
    before = shares.size();
    std::vector<Share> joined;
    for (const Share& share : shares) AddShare(share, joined);
    shares = std::move(joined);
  }
  std::ranges::stable_sort(shares, [](const Share& a, const Share& b) {
    return std::make_pair(a.counts.Wasted(), a.counts.sectors) >
           std::make_pair(b.counts.Wasted(), b.counts.sectors);
  });
}

}  // namespace coalcheck::patterns
