// SPDX-License-Identifier: Apache-2.0
//
// A class of patterns gets the first advice that one of them has, and a word on the index where
// that may be the cause.
#include "libcoalcheck/patterns/advice.h"

#include <algorithm>

namespace coalcheck::patterns {
namespace {

// All bytes that were asked for, packed as if every lane of every warp took part.
Sectors PackedOver(const Share& share) {
  const std::uint64_t lanes = share.counts.lanes.count();
  const std::uint64_t per_sector =
      share.width > Bytes(0) ? kSectorSize.count() / share.width.count() : 1;
  return std::min(Sectors(lanes / per_sector + (lanes % per_sector != 0 ? 1 : 0)),
                  share.counts.ideal);
}

}  // namespace

std::string Advice(const Classification& pattern) {
  std::string advice;
  for (const Candidate& one : pattern.candidates) {
    if (advice.empty()) advice = DescriptorOf(one.pattern).advice;
  }
  if (pattern.candidates.size() > 1 && pattern.Find(Pattern::kScattered) != nullptr) {
    advice += "; if an index decides, sort or bin it";
  }
  return advice;
}

std::optional<AfterFix> SectorsAfterFix(const Share& share) {
  if (share.counts.Wasted() == Sectors(0) || Advice(share.pattern).empty()) return std::nullopt;
  AfterFix after{share.counts.ideal, share.counts.ideal};
  for (const Candidate& one : share.pattern.candidates) {
    const Repaired repaired = DescriptorOf(one.pattern).repaired;
    if (repaired == Repaired::kUncertain) after.most = share.counts.sectors;
    if (repaired == Repaired::kPacked) after.least = PackedOver(share);
  }
  return after;
}

}  // namespace coalcheck::patterns
