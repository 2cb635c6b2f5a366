// SPDX-License-Identifier: Apache-2.0
//
// Lists of names as sets with an order.
#include "libcoalcheck/merging/counters.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace coalcheck::merging {
namespace {

constexpr std::array kKnown = {recording::kRequests,      recording::kLanes,
                               recording::kAsyncRequests, recording::kAsyncLanes,
                               recording::kSectors,       recording::kIdealSectors,
                               recording::kCacheLines};

bool Has(const Counters& counters, std::string_view name) {
  return std::ranges::find(counters, name) != counters.end();
}

}  // namespace

Counters InOrder(const Counters& counters) {
  Counters ordered;
  for (const std::string_view known : kKnown) {
    if (Has(counters, known)) ordered.emplace_back(known);
  }
  for (const std::string& name : std::set<std::string>(counters.begin(), counters.end())) {
    if (std::ranges::find(kKnown, name) == kKnown.end()) ordered.push_back(name);
  }
  return ordered;
}

Counters Common(const Counters& a, const Counters& b) {
  Counters common = a;
  std::erase_if(common, [&](const std::string& name) { return !Has(b, name); });
  return InOrder(common);
}

Counters Either(const Counters& a, const Counters& b) {
  Counters all = a;
  all.insert(all.end(), b.begin(), b.end());
  return InOrder(all);
}

Counters Without(const Counters& all, const Counters& some) {
  Counters rest = all;
  std::erase_if(rest, [&](const std::string& name) { return Has(some, name); });
  return rest;
}

bool CanJudge(const Counters& counters) {
  return Has(counters, recording::kSectors) && Has(counters, recording::kIdealSectors);
}

Projection::Projection(const Counters& from, const Counters& to) {
  for (const std::string& name : to) {
    columns_.push_back(static_cast<std::size_t>(std::ranges::find(from, name) - from.begin()));
  }
  is_identity_ = from == to;
}

void Projection::Apply(recording::CountRow& row) const {
  if (is_identity_) return;
  std::vector<std::uint64_t> values;
  values.reserve(columns_.size());
  for (const std::size_t column : columns_) {
    values.push_back(column < row.values.size() ? row.values[column] : 0);
  }
  row.values = std::move(values);
}

Column::Column(const Counters& counters, std::string_view name) {
  const auto found = std::ranges::find(counters, name);
  if (found != counters.end()) at_ = static_cast<std::size_t>(found - counters.begin());
}

}  // namespace coalcheck::merging
