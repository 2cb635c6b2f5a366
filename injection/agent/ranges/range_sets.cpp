// SPDX-License-Identifier: Apache-2.0
//
// Sets of ranges in a deque, found again by what is in them.
#include "injection/agent/ranges/range_sets.h"

#include <algorithm>

namespace coalcheck::agent {

RangeSetId RangeSets::Intern(std::span<const SetMember> members,
                             const std::function<bool()>& wanted) {
  if (members.empty()) return {};
  if (const auto found = ids_.find(members); found != ids_.end()) return found->second;
  const bool has_room =
      sets_.size() < kMaxRangeSets || (sets_.size() < 2 * kMaxRangeSets && wanted());
  if (!has_room) return kOtherSets;
  const std::vector<SetMember>& added = sets_.emplace_back(members.begin(), members.end());
  const RangeSetId id(static_cast<std::uint32_t>(sets_.size()));
  ids_.emplace(added, id);
  return id;
}

std::span<const SetMember> RangeSets::Find(RangeSetId id) const {
  if (id.value() == 0 || id.value() > sets_.size()) return {};
  return sets_[id.value() - 1];
}

std::size_t RangeSets::Hash::operator()(std::span<const SetMember> members) const {
  std::size_t mix = members.size();
  for (const SetMember& member : members) {
    mix = (mix ^ (member.name.value() * 2U + (member.kind == RangeKind::kStartEnd ? 1U : 0U))) *
          1099511628211U;
  }
  return mix;
}

bool RangeSets::Equal::operator()(std::span<const SetMember> a,
                                  std::span<const SetMember> b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace coalcheck::agent
