// SPDX-License-Identifier: Apache-2.0
//
// Tries every place in a sector where the addresses may begin.
#include "libcoalcheck/prediction/request_range.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <vector>

namespace coalcheck::prediction {
namespace {

using address::Form;
using address::LaneMask;
using address::Request;
using address::Unknowns;
using sectors::RequestCounts;

constexpr std::size_t kMostKnown = 4096;

// Far from 0 and from the end, so that nothing wraps around.
constexpr std::uint64_t kMiddle = std::uint64_t{1} << 40U;

std::uint64_t PowerOfTwo(unsigned exponent) { return std::uint64_t{1} << std::min(exponent, 63U); }

// What is known of the place of an address of which a multiple of `grain` is not.
std::uint64_t PlaceOf(std::uint64_t address, std::uint64_t grain) {
  return address % (grain < kSectorSize.count() ? grain : kCacheLineSize.count());
}

// By how much each lane lies behind the one before it; empty where that differs.
std::optional<std::uint64_t> StepOf(const Request& request, LaneMask active) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(active));
  std::optional<std::uint64_t> step;
  bool is_one = true;
  address::EachLane(active, [&](std::uint32_t lane) {
    if (lane == first || !is_one) return;
    const std::uint64_t behind = request.addresses.bits[lane] - request.addresses.bits[first];
    if (!step && behind % (lane - first) != 0) is_one = false;
    if (!step) step = behind / (lane - first);
    is_one = is_one && behind == *step * (lane - first);
  });
  return is_one ? std::optional(step.value_or(0)) : std::nullopt;
}

bool IsWorse(const RequestCounts& a, const RequestCounts& b) {
  return a.sectors - a.ideal_sectors > b.sectors - b.ideal_sectors;
}

// Of the lanes in `active`, which differ by numbers alone. What they have in common may be any
// multiple of `grain`, and what is known of it.
RequestRange RangeOfGroup(const Request& request, LaneMask active, std::uint32_t width,
                          std::uint64_t grain) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(active));
  const std::uint64_t base = request.addresses.bits[first];
  RequestRange range;
  bool is_first = true;
  for (std::uint64_t phase = 0; phase < kSectorSize.count();
       phase += std::min(grain, kSectorSize.count())) {
    sectors::WarpRequest warp;
    warp.active = active;
    warp.width = width;
    const std::uint64_t start = kMiddle + PlaceOf(base, grain) + phase;
    // Hardware demands it, so the common part makes up for it.
    if (width != 0 && start % std::min<std::uint64_t>(width, 16) != 0 &&
        grain < kSectorSize.count()) {
      continue;
    }
    address::EachLane(active, [&](std::uint32_t lane) {
      warp.address[lane] = start + (request.addresses.bits[lane] - base);
    });
    const RequestCounts counts = sectors::Count(warp);
    if (is_first || IsWorse(range.least, counts)) range.least = counts;
    if (is_first || IsWorse(counts, range.most)) range.most = counts;
    is_first = false;
  }
  return range;
}

// What guards say that the distance is at least, in bytes.
std::uint64_t LeastOf(const LaneDistance& distance, const Request& request) {
  constexpr std::int64_t kFar = std::int64_t{1} << 20U;
  std::int64_t least = 0;
  for (const Unknowns::Multiple& one : distance.of) {
    least += distance.step * one.factor * std::min(request.LeastOf(one.symbol), kFar);
  }
  return static_cast<std::uint64_t>(least);
}

// Distances from the least one on that are not excluded, until lanes lie in sectors of their own
// and every place of theirs in a sector was seen; and one that is far.
std::vector<std::uint64_t> Tried(std::uint64_t least, std::uint64_t step,
                                 StoreFacts::Multiples excluded) {
  constexpr std::uint64_t kApart = 5 * kSectorSize.count();
  constexpr std::uint64_t kFar = std::uint64_t{1} << 24U;
  const std::uint64_t around = kSectorSize.count() / std::gcd(step, kSectorSize.count()) * step;
  std::vector<std::uint64_t> tried;
  for (std::uint64_t at = least; at < std::max(least, kApart) + around && tried.size() < 64;
       at += step) {
    const std::uint64_t times = at / step;
    if (times >= 64 || (excluded >> times & 1U) == 0) tried.push_back(at);
  }
  tried.push_back(least + kFar * step);
  return tried;
}

void Add(const RequestCounts& other, RequestCounts& sum) {
  sum.sectors += other.sectors;
  sum.lines += other.lines;
}

}  // namespace

RequestRange RequestRanges::Of(const Request& request, std::uint32_t width, std::uint64_t step,
                               const Unknowns& unknowns, StoreFacts* stores) {
  unsigned zeros = step == 0 ? 64U : static_cast<unsigned>(std::countr_zero(step));
  address::EachLane(request.active, [&](std::uint32_t lane) {
    zeros = std::min(zeros, unknowns.TrailingZeros(request.addresses.FormAt(lane)));
  });
  const std::uint64_t grain = PowerOfTwo(zeros);
  if (IsOneForm(request)) return OfGroup(request, request.active, width, grain);
  if (const auto known = OfDistance(request, width, grain, unknowns, stores)) return *known;
  return OfGroups(request, width, grain);
}

RequestRange RequestRanges::OfGroup(const Request& request, LaneMask active, std::uint32_t width,
                                    std::uint64_t grain) {
  const std::optional<std::uint64_t> apart = StepOf(request, active);
  if (!apart) return RangeOfGroup(request, active, width, grain);
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(active));
  const std::uint64_t place = PlaceOf(request.addresses.bits[first], grain);
  // It does not matter which lane asks alone.
  const Key key{active >> first, *apart, width, grain, place};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= kMostKnown) known_.clear();
  return known_[key] = RangeOfGroup(request, active, width, grain);
}

std::optional<RequestRange> RequestRanges::OfDistance(const Request& request, std::uint32_t width,
                                                      std::uint64_t grain, const Unknowns& unknowns,
                                                      StoreFacts* stores) {
  const bool has_bounds = request.bounds != nullptr || request.bounds_of_left != nullptr;
  if (!has_bounds && stores == nullptr) return std::nullopt;
  const std::optional<LaneDistance> distance = LaneDistanceOf(request, unknowns);
  if (!distance) return std::nullopt;
  const std::uint64_t least = LeastOf(*distance, request);
  const StoreFacts::Multiples excluded =
      stores == nullptr ? 0 : stores->Excluded(request, *distance);
  if (least == 0 && (excluded & 1U) == 0) return std::nullopt;
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
  const auto step = static_cast<std::uint64_t>(distance->step);
  const std::uint64_t place = PlaceOf(request.addresses.bits[first], grain);
  const DistanceKey key{{request.active, least, width, grain, place << 32U | step},
                        distance->behind,
                        distance->times,
                        excluded};
  if (const auto found = known_distances_.find(key); found != known_distances_.end()) {
    return found->second;
  }
  RequestRange range;
  bool is_first = true;
  for (const std::uint64_t at : Tried(least, step, excluded)) {
    Request one = request;
    address::EachLane(request.active, [&](std::uint32_t lane) {
      one.addresses.bits[lane] += static_cast<std::uint64_t>(distance->times[lane]) * at;
    });
    const RequestRange of_one = RangeOfGroup(one, request.active, width, grain);
    if (is_first || IsWorse(range.least, of_one.least)) range.least = of_one.least;
    if (is_first || IsWorse(of_one.most, range.most)) range.most = of_one.most;
    is_first = false;
  }
  const std::uint64_t from = least / step;
  range.by_stores = from < 64 && excluded >> from != 0;
  if (known_distances_.size() >= kMostKnown) known_distances_.clear();
  return known_distances_[key] = range;
}

// Groups of lanes that may lie next to each other, or each anywhere.
RequestRange RequestRanges::OfGroups(const Request& request, std::uint32_t width,
                                     std::uint64_t grain) {
  RequestRange range;
  LaneMask left = request.active;
  while (left != 0) {
    const Form form = request.addresses.FormAt(static_cast<std::uint32_t>(__builtin_ctz(left)));
    LaneMask group = 0;
    address::EachLane(left, [&](std::uint32_t lane) {
      if (request.addresses.FormAt(lane) == form) group |= LaneMask{1} << lane;
    });
    left &= ~group;
    Add(OfGroup(request, group, width, grain).most, range.most);
  }
  const Lanes lanes(static_cast<std::uint64_t>(std::popcount(request.active)));
  range.most.lanes = range.least.lanes = lanes;
  const Bytes bytes(lanes.count() * width);
  range.most.ideal_sectors = sectors::IdealSectors(bytes, range.most.sectors);
  range.least.ideal_sectors = range.least.sectors = range.most.ideal_sectors;
  const std::uint64_t per_line = kCacheLineSize.count() / kSectorSize.count();
  range.least.lines = CacheLines((range.least.sectors.count() + per_line - 1) / per_line);
  range.lanes_are_open = true;
  return range;
}

}  // namespace coalcheck::prediction
