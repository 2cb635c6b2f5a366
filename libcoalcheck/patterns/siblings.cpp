// SPDX-License-Identifier: Apache-2.0
//
// Marks the bytes in use as intervals, so that a structure of any size costs the same.
#include "libcoalcheck/patterns/siblings.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace coalcheck::patterns {
namespace {

using Interval = std::pair<std::uint64_t, std::uint64_t>;  // the end does not belong to it

// What `width` bytes at `offset` cover of each structure: two parts where they reach into the next.
void Cover(std::uint64_t offset, std::uint64_t width, std::uint64_t size,
           std::vector<Interval>& covered) {
  const std::uint64_t end = offset + std::min(width, size);
  covered.emplace_back(offset, std::min(end, size));
  if (end > size) covered.emplace_back(0, end - size);
}

// `step` modulo `size`, never negative.
std::uint64_t Within(ByteStep step, std::uint64_t size) {
  const auto distance = static_cast<std::uint64_t>(step.value());
  if (step.value() >= 0) return distance % size;
  const std::uint64_t below = (0 - distance) % size;
  return below == 0 ? 0 : size - below;
}

}  // namespace

Bytes BytesUsed(Bytes size, Bytes width, const std::vector<Sibling>& siblings) {
  if (size == Bytes(0)) return {};
  std::vector<Interval> covered;
  Cover(0, width.count(), size.count(), covered);
  for (const Sibling& one : siblings) {
    Cover(Within(one.from_here, size.count()), one.width.count(), size.count(), covered);
  }
  std::ranges::sort(covered);
  std::uint64_t used = 0;
  std::uint64_t reached = 0;
  for (const auto& [begin, end] : covered) {
    if (end <= reached) continue;
    used += end - std::max(begin, reached);
    reached = end;
  }
  return Bytes(used);
}

}  // namespace coalcheck::patterns
