// SPDX-License-Identifier: Apache-2.0
//
// Range names in deques, whose elements stay where they are.
#include "injection/agent/ranges/range_names.h"

namespace coalcheck::agent {
namespace {

bool ContinuesACharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string_view CutName(std::string_view name) {
  if (name.size() <= kMaxNameBytes) return name;
  std::size_t end = kMaxNameBytes;
  // A character has at most three bytes after its first. More are no UTF-8, and any cut will do.
  const std::size_t lowest = kMaxNameBytes - 3;
  while (end > lowest && ContinuesACharacter(name[end])) --end;
  return name.substr(0, ContinuesACharacter(name[end]) ? kMaxNameBytes : end);
}

const RangeName& RangeNames::Intern(std::string_view domain, std::string_view name) {
  const std::string& owner = InternDomain(CutName(domain));
  const std::string_view kept = CutName(name);
  const bool is_new = !names_by_key_.contains({&owner, kept});
  return InternIn(owner, is_new && !HasRoomFor(kept) ? kOtherRanges : kept);
}

bool RangeNames::HasRoomFor(std::string_view name) const {
  if (own_names_ < kMaxRangeNames) return true;
  return own_names_ < 2 * kMaxRangeNames && wanted_ && wanted_(name);
}

const RangeName& RangeNames::InternIn(const std::string& domain, std::string_view name) {
  const auto found = names_by_key_.find({&domain, name});
  if (found != names_by_key_.end()) return *found->second;
  const RangeNameId id(static_cast<std::uint32_t>(names_.size()));
  const bool folds_names = name == kOtherRanges;
  const RangeName& added = names_.emplace_back(
      RangeName{&domain, std::string(name), id, /*others=*/folds_names || domain == kOtherDomains});
  names_by_key_.emplace(Key{&domain, added.name}, &added);
  if (!folds_names) ++own_names_;
  return added;
}

const std::string* RangeNames::FindDomain(std::string_view domain) const {
  const auto found = domains_by_name_.find(CutName(domain));
  if (found != domains_by_name_.end()) return found->second;
  const auto others = domains_by_name_.find(kOtherDomains);
  return others == domains_by_name_.end() ? nullptr : others->second;
}

const std::string& RangeNames::InternDomain(std::string_view domain) {
  const bool is_full = domains_.size() >= kMaxDomains && !domains_by_name_.contains(domain);
  const std::string_view kept = is_full ? kOtherDomains : domain;
  const auto found = domains_by_name_.find(kept);
  if (found != domains_by_name_.end()) return *found->second;
  const std::string& added = domains_.emplace_back(kept);
  domains_by_name_.emplace(added, &added);
  return added;
}

}  // namespace coalcheck::agent
