// SPDX-License-Identifier: Apache-2.0
//
// The names of ranges and of their domains, each kept once, and never more than a set number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "libcoalcheck/base/ids.h"

namespace coalcheck::agent {

using RangeNameId = Id<struct RangeNameIdTag, std::uint32_t>;

inline constexpr std::size_t kMaxNameBytes = 256;
// And as many that are wanted, and one more in each domain, for the others.
inline constexpr std::size_t kMaxRangeNames = 4096;
inline constexpr std::size_t kMaxDomains = 256;  // and one more, for the others
inline constexpr std::string_view kOtherRanges = "(other ranges)";
inline constexpr std::string_view kOtherDomains = "(other domains)";

// Never changes once it is there. Equal domains are one object.
struct RangeName {
  const std::string* domain = nullptr;
  std::string name;
  RangeNameId id;
  bool others = false;  // stands for names, or is of a domain, that had no room
};

// At most kMaxNameBytes of `name`, without a character cut in two.
std::string_view CutName(std::string_view name);

// One thread at a time. What it gave out lives as long as the table.
class RangeNames {
 public:
  // Names that `wanted` is true for still have room where others have none any more.
  void Want(std::function<bool(std::string_view)> wanted) { wanted_ = std::move(wanted); }
  bool IsWanted(const RangeName& name) const { return wanted_ && wanted_(name.name); }
  // The name, or, when there is no room for one more, what stands for its domain's other names.
  const RangeName& Intern(std::string_view domain, std::string_view name);
  // The object that Intern's names of this domain have; null: there is none yet.
  const std::string* FindDomain(std::string_view domain) const;
  const RangeName& at(RangeNameId id) const { return names_[id.value()]; }

 private:
  struct Key {
    const std::string* domain;
    std::string_view name;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>{}(key.name) * 31 +
             std::hash<const std::string*>{}(key.domain);
    }
  };
  const std::string& InternDomain(std::string_view domain);
  const RangeName& InternIn(const std::string& domain, std::string_view name);
  bool HasRoomFor(std::string_view name) const;

  std::function<bool(std::string_view)> wanted_;
  std::deque<std::string> domains_;
  std::unordered_map<std::string_view, const std::string*> domains_by_name_;
  std::deque<RangeName> names_;
  std::unordered_map<Key, const RangeName*, KeyHash> names_by_key_;
  std::size_t own_names_ = 0;  // names but those that stand for others
};

}  // namespace coalcheck::agent
