// SPDX-License-Identifier: Apache-2.0
//
// Takes lanes' sums of symbols apart.
#include "libcoalcheck/prediction/lane_distance.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace coalcheck::prediction {
namespace {

using address::Form;
using address::Unknowns;

using Multiples = Unknowns::Multiples;

// What is in the one sum and not in the other.
Multiples Difference(const Multiples& all, const Multiples& less) {
  Multiples difference = all;
  for (const Unknowns::Multiple& one : less) {
    const auto found = std::ranges::find(difference, one.symbol, &Unknowns::Multiple::symbol);
    if (found == difference.end()) {
      difference.push_back({one.symbol, -one.factor});
    } else {
      found->factor -= one.factor;
    }
  }
  const auto rest = std::ranges::remove(difference, 0, &Unknowns::Multiple::factor);
  difference.erase(rest.begin(), rest.end());
  std::ranges::sort(difference, {}, &Unknowns::Multiple::symbol);
  return difference;
}

// How many times `unit` the difference is; empty where it is no multiple.
std::optional<std::int64_t> TimesOf(const Multiples& difference, const Multiples& unit) {
  if (difference.empty()) return 0;
  if (difference.size() != unit.size()) return std::nullopt;
  const std::int64_t times = difference[0].factor / unit[0].factor;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool is_multiple =
        difference[i].symbol == unit[i].symbol && difference[i].factor == times * unit[i].factor;
    if (!is_multiple) return std::nullopt;
  }
  return times;
}

using OfLanes = std::array<Multiples, kWarpSize>;

// By how many symbols each lane lies behind the first one; false where that is not known.
bool FindDifferences(const address::Request& request, const Unknowns& unknowns,
                     OfLanes& differences) {
  constexpr std::int64_t kMostFactor = std::int64_t{1} << 20U;
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
  const Form first_form = request.addresses.FormAt(first);
  const Multiples of_first = unknowns.MultiplesOf(first_form);
  bool is_small = first_form == address::kNoForm || !of_first.empty();
  std::uint32_t before = first;
  address::EachLane(request.active, [&](std::uint32_t lane) {
    const Form form = request.addresses.FormAt(lane);
    const std::uint32_t neighbour = std::exchange(before, lane);
    if (!is_small || form == first_form) return;
    if (form == request.addresses.FormAt(neighbour)) {
      differences[lane] = differences[neighbour];
      return;
    }
    const Multiples own = unknowns.MultiplesOf(form);
    is_small = form == address::kNoForm || !own.empty();
    if (!is_small) return;
    differences[lane] = Difference(own, of_first);
    is_small = std::ranges::all_of(differences[lane], [](const Unknowns::Multiple& one) {
      return std::abs(one.factor) < kMostFactor;
    });
  });
  return is_small;
}

const Multiples* Shortest(const OfLanes& differences) {
  const Multiples* unit = nullptr;
  for (const Multiples& one : differences) {
    const bool is_shorter =
        !one.empty() && (unit == nullptr || std::abs(one[0].factor) < std::abs((*unit)[0].factor));
    if (is_shorter) unit = &one;
  }
  return unit;
}

}  // namespace

bool IsOneForm(const address::Request& request) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
  const Form form = request.addresses.FormAt(first);
  bool is_one = true;
  address::EachLane(request.active, [&](std::uint32_t lane) {
    is_one = is_one && request.addresses.FormAt(lane) == form;
  });
  return is_one;
}

bool LaneDistance::IsOfTheSame(const LaneDistance& other) const {
  return std::ranges::equal(of, other.of, [](const auto& a, const auto& b) {
    return a.symbol == b.symbol && a.factor == b.factor;
  });
}

std::optional<LaneDistance> LaneDistanceOf(const address::Request& request,
                                           const Unknowns& unknowns) {
  OfLanes differences;
  const bool are_known = FindDifferences(request, unknowns, differences);
  const Multiples* const unit = are_known ? Shortest(differences) : nullptr;
  if (unit == nullptr) return std::nullopt;
  const std::int64_t sign = (*unit)[0].factor < 0 ? -1 : 1;
  LaneDistance distance;
  for (const Unknowns::Multiple& one : *unit) {
    if (one.factor * sign < 0) return std::nullopt;
    distance.step = std::gcd(distance.step, one.factor);
  }
  distance.of = *unit;
  for (Unknowns::Multiple& one : distance.of) one.factor = sign * one.factor / distance.step;
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
  bool are_multiples = true;
  address::EachLane(request.active, [&](std::uint32_t lane) {
    const auto times = TimesOf(differences[lane], *unit);
    are_multiples = are_multiples && times.has_value();
    distance.times[lane] = sign * times.value_or(0);
    distance.behind[lane] = request.addresses.bits[lane] - request.addresses.bits[first];
  });
  return are_multiples ? std::optional(distance) : std::nullopt;
}

}  // namespace coalcheck::prediction
