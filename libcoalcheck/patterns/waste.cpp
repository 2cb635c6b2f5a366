// SPDX-License-Identifier: Apache-2.0
//
// Siblings first, then the loop, then the neighbouring warp.
#include "libcoalcheck/patterns/waste.h"

#include <optional>

#include "libcoalcheck/patterns/averages.h"
#include "libcoalcheck/patterns/siblings.h"

namespace coalcheck::patterns {
namespace {

constexpr double kWarps = 8;  // of a block of 256 threads, where blocks are not known

bool IsLoad(const Evidence& evidence) { return evidence.kind == cubin::AccessKind::kLoad; }

// Empty when the code does not say which siblings there are, or not enough to lay them out.
std::optional<bool> GroupWastes(const Evidence& evidence) {
  const Averages request(evidence);
  if (!request.full || !request.alike || request.requests == 0) return std::nullopt;
  const Sectors alone(evidence.counts.sectors.count() / request.requests);
  const auto group = JoinSiblings(evidence.width, evidence.address, alone);
  if (!group) return std::nullopt;
  return Per(group->sectors - group->ideal, group->sectors) >= kGroupWastedShare;
}

// The next turn of the loop begins in a sector of this one.
bool StaysInSector(ByteStep loop_step) {
  const auto size = static_cast<std::int64_t>(kSectorSize.count());
  return loop_step.value() != 0 && loop_step.value() > -size && loop_step.value() < size;
}

// What a block touches in one turn.
bool FitsInto(Bytes held, const Evidence& evidence) {
  const double lines = Averages(evidence).lines;
  if (lines <= 0) return false;  // not counted
  const double bytes = kWarps * lines * static_cast<double>(kCacheLineSize.count());
  return bytes <= static_cast<double>(held.count());
}

}  // namespace

std::string_view ToString(Waste waste) {
  switch (waste) {
    case Waste::kWasted:
      return "wasted";
    case Waste::kShared:
      return "shared";
    case Waste::kLikelyAbsorbed:
      return "likely_absorbed";
    case Waste::kUnknown:
      break;
  }
  return "unknown";
}

Waste JudgeWaste(const Evidence& evidence, const Classification& pattern) {
  if (evidence.counts.Wasted() == Sectors(0)) return Waste::kUnknown;
  // What is misaligned for one warp is the beginning of the next one's.
  if (pattern.Is(Pattern::kMisaligned)) {
    return IsLoad(evidence) ? Waste::kLikelyAbsorbed : Waste::kUnknown;
  }
  const std::optional<bool> group_wastes = GroupWastes(evidence);
  if (!group_wastes) return Waste::kUnknown;
  if (!*group_wastes) {
    return FitsInto(kHeldForSiblings, evidence) ? Waste::kShared : Waste::kUnknown;
  }
  const std::optional<ByteStep>& loop_step = evidence.address.loop_step;
  if (!loop_step) return Waste::kUnknown;
  if (!StaysInSector(*loop_step)) return Waste::kWasted;
  return IsLoad(evidence) && FitsInto(kHeldByL1, evidence) ? Waste::kLikelyAbsorbed
                                                           : Waste::kUnknown;
}

}  // namespace coalcheck::patterns
