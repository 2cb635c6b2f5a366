// SPDX-License-Identifier: Apache-2.0
//
// Joins stretches that overlap or touch.
#include "libcoalcheck/recording/rank_set.h"

#include <algorithm>
#include <iterator>

namespace coalcheck::recording {

void RankSet::Add(std::uint32_t first, std::uint32_t last) {
  if (first > last) return;
  Span added{first, last};
  // Those that end before `first` - 1 stay, as do those that begin behind `last` + 1.
  const auto from =
      std::ranges::lower_bound(spans_, std::uint64_t{first}, {},
                               [](const Span& span) { return std::uint64_t{span.last} + 1; });
  auto to = from;
  for (; to != spans_.end() && to->first <= std::uint64_t{last} + 1; ++to) {
    added.first = std::min(added.first, to->first);
    added.last = std::max(added.last, to->last);
  }
  if (from == to) {
    spans_.insert(from, added);
  } else {
    *from = added;
    spans_.erase(from + 1, to);
  }
}

RankSet::RankSet(std::vector<Span> spans) {
  std::ranges::sort(spans);
  for (const Span& span : spans) Add(span.first, span.last);  // each at the end
}

void RankSet::Add(const RankSet& other) {
  constexpr std::size_t kFew = 8;  // are put where they belong
  if (other.spans_.size() <= kFew && &other != this) {
    for (const Span& span : other.spans_) Add(span.first, span.last);
    return;
  }
  std::vector<Span> all;
  all.reserve(spans_.size() + other.spans_.size());
  std::ranges::merge(spans_, other.spans_, std::back_inserter(all));
  spans_.clear();
  for (const Span& span : all) Add(span.first, span.last);  // each at the end
}

bool RankSet::Contains(std::uint32_t rank) const {
  const auto found = std::ranges::lower_bound(spans_, rank, {}, &Span::last);
  return found != spans_.end() && found->first <= rank;
}

std::uint64_t RankSet::Count() const {
  std::uint64_t count = 0;
  for (const Span& span : spans_) count += std::uint64_t{span.last} - span.first + 1;
  return count;
}

RankSet RankSet::MissingOf(std::uint32_t world_size) const {
  RankSet missing;
  std::uint64_t next = 0;
  for (const Span& span : spans_) {
    if (span.first >= world_size) break;
    if (span.first > next) missing.Add(static_cast<std::uint32_t>(next), span.first - 1);
    next = std::uint64_t{span.last} + 1;
  }
  if (next < world_size) missing.Add(static_cast<std::uint32_t>(next), world_size - 1);
  return missing;
}

}  // namespace coalcheck::recording
