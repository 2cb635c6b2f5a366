// SPDX-License-Identifier: Apache-2.0
//
// A sentence for each pattern. A class of patterns gets the first that has one, and a word on the
// index where that may be the cause.
#include "libcoalcheck/patterns/advice.h"

#include <algorithm>
#include <string_view>

namespace coalcheck::patterns {
namespace {

std::string_view Sentence(Pattern pattern) {
  switch (pattern) {
    case Pattern::kNarrow:
      return "let each lane take several elements with one vector access (char4, half2)";
    case Pattern::kPartialWarps:
      return "let whole warps take part: compact the active work, or give inactive lanes the "
             "elements between";
    case Pattern::kMisaligned:
      return "begin on a multiple of 32 bytes: pad the rows, or shift the loop";
    case Pattern::kRuns:
      return "let 32 threads run along the fastest index: a block at least 32 wide";
    case Pattern::kStrided:
      return "let consecutive lanes take consecutive elements: swap index roles, go through a "
             "shared tile, or use an array for each field";
    case Pattern::kStructField:
      return "fetch the structure whole with vector accesses, or keep each field in an array of "
             "its own";
    case Pattern::kPaddedStruct:
      return "keep the fields that are used in arrays of their own, or leave no gaps between them";
    case Pattern::kScattered:
      return "sort or bin the index, so that neighbouring lanes touch neighbouring elements";
    case Pattern::kAtomicsApart:
      return "collect updates in shared memory first, or let neighbouring lanes update neighbours";
    case Pattern::kLocalSpills:
      return "free registers: smaller blocks in __launch_bounds__, less unrolling, arrays that are "
             "indexed by constants";
    case Pattern::kCoalesced:
    case Pattern::kBroadcast:
    case Pattern::kUnknown:
      break;
  }
  return {};
}

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
    if (advice.empty()) advice = Sentence(one.pattern);
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
    if (one.pattern == Pattern::kScattered || one.pattern == Pattern::kAtomicsApart ||
        one.pattern == Pattern::kBroadcast) {
      after.most = share.counts.sectors;
    }
    if (one.pattern == Pattern::kPartialWarps) after.least = PackedOver(share);
  }
  return after;
}

}  // namespace coalcheck::patterns
