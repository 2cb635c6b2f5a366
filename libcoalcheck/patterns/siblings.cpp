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

constexpr std::size_t kMostSiblings = 64;  // more are not looked at: nobody writes such structures

// Distinct blocks of `granule` bytes that intervals in ascending order touch.
std::uint64_t BlocksTouched(const std::vector<Interval>& intervals, std::uint64_t granule) {
  std::uint64_t touched = 0;
  std::uint64_t first_uncounted = 0;
  for (const auto& [begin, end] : intervals) {
    const std::uint64_t first = std::max(begin / granule, first_uncounted);
    const std::uint64_t after = (end - 1) / granule + 1;
    if (after <= first) continue;
    touched += after - first;
    first_uncounted = after;
  }
  return touched;
}

// What all lanes' accesses cover, the first lane's first byte at `place`.
std::vector<Interval> Lay(std::uint64_t place, std::int64_t step,
                          const std::vector<Sibling>& members) {
  std::vector<Interval> laid;
  for (std::int64_t lane = 0; lane < static_cast<std::int64_t>(kWarpSize); ++lane) {
    for (const Sibling& one : members) {
      const auto from = static_cast<std::uint64_t>(lane * step + one.from_here.value());
      laid.emplace_back(place + from, place + from + one.width.count());
    }
  }
  std::ranges::sort(laid);
  return laid;
}

GroupRequest CountGroup(const std::vector<Interval>& laid) {
  const Sectors sectors(BlocksTouched(laid, kSectorSize.count()));
  const std::uint64_t bytes = BlocksTouched(laid, 1);
  const Sectors packed((bytes + kSectorSize.count() - 1) / kSectorSize.count());
  return {sectors, std::min(packed, sectors)};
}

// Addresses are laid around the middle of the address space, so that none can wrap around.
constexpr std::uint64_t kMiddle = 1ULL << 62;
constexpr std::int64_t kFarthest = 1LL << 40;

bool IsNear(ByteStep step) { return step.value() > -kFarthest && step.value() < kFarthest; }

}  // namespace

std::optional<GroupRequest> JoinSiblings(Bytes width, const AddressFact& address, Sectors alone) {
  if (address.form != AddressFact::Form::kAffine || !address.lane_step || !address.siblings ||
      address.row_lanes != Lanes(kWarpSize) || address.siblings->size() > kMostSiblings ||
      width == Bytes(0) || width > kSectorSize || !IsNear(*address.lane_step)) {
    return std::nullopt;
  }
  std::vector<Sibling> group = {{ByteStep(0), width}};
  for (const Sibling& one : *address.siblings) {
    if (!IsNear(one.from_here) || one.width == Bytes(0) || one.width > kSectorSize) continue;
    group.push_back(one);
  }
  std::optional<GroupRequest> most;
  for (std::uint64_t phase = 0; phase < kSectorSize.count(); phase += width.count()) {
    const std::uint64_t place = kMiddle + phase;
    const std::int64_t step = address.lane_step->value();
    const auto by_itself = Lay(place, step, {{ByteStep(0), width}});
    if (Sectors(BlocksTouched(by_itself, kSectorSize.count())) != alone) continue;
    const GroupRequest one = CountGroup(Lay(place, step, group));
    if (!most || one.sectors > most->sectors) most = one;
  }
  return most;
}

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

Pattern StepPattern(Bytes size, Bytes width, const std::vector<Sibling>& siblings) {
  const Bytes used = BytesUsed(size, width, siblings);
  if (used == width) return Pattern::kStrided;
  return used == size ? Pattern::kStructField : Pattern::kPaddedStruct;
}

}  // namespace coalcheck::patterns
