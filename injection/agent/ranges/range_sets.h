// SPDX-License-Identifier: Apache-2.0
//
// Sets of ranges that were open together, each kept once, and never more than a set number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "injection/agent/ranges/range_names.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/ranges.h"

namespace coalcheck::agent {

inline constexpr std::uint32_t kMaxRangeSets = 16384;           // and as many that are wanted
inline constexpr RangeSetId kOtherSets{2 * kMaxRangeSets + 1};  // stands for those without room
// The same for those that the user's filters leave out, where launches of both kinds are booked.
inline constexpr RangeSetId kOtherSetsLeftOut{2 * kMaxRangeSets + 2};

struct SetMember {
  RangeNameId name;
  RangeKind kind = RangeKind::kPushPop;
  friend bool operator==(const SetMember&, const SetMember&) = default;
};

// One thread at a time.
class RangeSets {
 public:
  // The number of the set with these members in this order, or kOtherSets; 0 without members. There
  // still is room for what is `wanted` where there is none for others; asked only then.
  RangeSetId Intern(std::span<const SetMember> members, const std::function<bool()>& wanted);
  // Empty for 0, for kOtherSets and for a number that was never given out. Valid as long as this
  // object.
  std::span<const SetMember> Find(RangeSetId id) const;

 private:
  struct Hash {
    std::size_t operator()(std::span<const SetMember> members) const;
  };
  struct Equal {
    bool operator()(std::span<const SetMember> a, std::span<const SetMember> b) const;
  };

  std::deque<std::vector<SetMember>> sets_;
  std::unordered_map<std::span<const SetMember>, RangeSetId, Hash, Equal> ids_;
};

}  // namespace coalcheck::agent
