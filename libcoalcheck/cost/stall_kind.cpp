// SPDX-License-Identifier: Apache-2.0
//
// The stall reasons by name: their numbers differ from one architecture to the next.
#include "libcoalcheck/cost/stall_kind.h"

namespace coalcheck::cost {
namespace {

constexpr std::string_view kStalled = "stalled_";
constexpr std::string_view kNotIssued = "_not_issued";

StallKind KindOf(std::string_view name) {
  if (name == "long_scoreboard") return StallKind::kLongScoreboard;
  if (name == "short_scoreboard") return StallKind::kShortScoreboard;
  if (name == "lg_throttle") return StallKind::kThrottle;
  if (name == "drain") return StallKind::kDrain;
  if (name == "mio_throttle") return StallKind::kSharedQueue;
  return StallKind::kOther;
}

}  // namespace

std::string_view ToString(StallKind kind) {
  switch (kind) {
    case StallKind::kLongScoreboard:
      return "long scoreboard";
    case StallKind::kShortScoreboard:
      return "short scoreboard";
    case StallKind::kThrottle:
      return "LG throttle";
    case StallKind::kDrain:
      return "drain";
    case StallKind::kSharedQueue:
      return "MIO throttle";
    case StallKind::kOther:
      return "other";
  }
  return "other";
}

std::optional<StallReasonMeaning> MeaningOf(std::string_view reason) {
  const std::size_t stalled = reason.rfind(kStalled);
  if (stalled == std::string_view::npos) return std::nullopt;
  std::string_view name = reason.substr(stalled + kStalled.size());
  StallReasonMeaning meaning;
  meaning.exposed_only = name.ends_with(kNotIssued);
  if (meaning.exposed_only) name.remove_suffix(kNotIssued.size());
  meaning.kind = KindOf(name);
  return meaning;
}

}  // namespace coalcheck::cost
