// SPDX-License-Identifier: Apache-2.0
//
// Pairs the places of two runs and says how each changed.
#include "libcoalcheck/comparison/difference.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "libcoalcheck/comparison/match.h"

namespace coalcheck::comparison {
namespace {

// In the order of the source, as Match wants them.
std::vector<Measured> InSourceOrder(std::vector<Measured> places) {
  std::ranges::stable_sort(places, std::less(),
                           [](const Measured& place) { return std::tie(place.path, place.line); });
  return places;
}

std::vector<MatchKey> KeysOf(const std::vector<Measured>& places) {
  std::vector<MatchKey> keys;
  for (const Measured& place : places) {
    keys.push_back({place.fingerprint, place.anchor});
  }
  return keys;
}

Change ChangeOfPair(const Measured& before, const Measured& after, double tolerance) {
  const Trend trend = TrendOf(before.waste(), after.waste(), tolerance);
  if (trend == Trend::kWorse && after.is_finding) return Change::kWorsened;
  if (trend == Trend::kBetter && before.is_finding) return Change::kImproved;
  // As wasteful as before: what became a finding did so by another rule.
  if (after.is_finding && !before.is_finding) return Change::kAppeared;
  if (before.is_finding && !after.is_finding) return Change::kVanished;
  return Change::kUnchanged;
}

// Of two places of which one at least is a finding. One that is not known has no numbers.
Difference DifferenceOf(const Measured& before, const Measured& after, double tolerance) {
  if (!after.is_finding && !after.is_known) return {Change::kNotSeen, before, std::nullopt};
  if (!before.is_finding && !before.is_known) return {Change::kAppeared, std::nullopt, after};
  const Change change = ChangeOfPair(before, after, tolerance);
  const bool is_worse = change == Change::kWorsened || change == Change::kAppeared;
  const bool worse_alone = !is_worse && after.worst &&
                           TrendOf(before.waste(), after.worst->waste, tolerance) == Trend::kWorse;
  return {change, before, after, before.text != after.text, worse_alone};
}

Sectors WastedOf(const Difference& difference) {
  const Measured& place = difference.after ? *difference.after : *difference.before;
  return place.counts.Wasted();
}

}  // namespace

std::string_view ToString(Change change) {
  switch (change) {
    case Change::kWorsened:
      return "worsened";
    case Change::kAppeared:
      return "appeared";
    case Change::kImproved:
      return "improved";
    case Change::kVanished:
      return "vanished";
    case Change::kNotSeen:
      return "not seen";
    case Change::kUnchanged:
      return "unchanged";
  }
  return "unknown";
}

bool Comparison::HasCommonKernels() const {
  return std::ranges::any_of(
      before.kernels, [this](const std::string& kernel) { return after.kernels.contains(kernel); });
}

std::size_t Comparison::Number(Change change) const {
  return static_cast<std::size_t>(std::ranges::count(differences, change, &Difference::change));
}

Comparison Compare(MeasuredRun before, MeasuredRun after, double tolerance) {
  Comparison comparison{std::move(before), std::move(after), {}, 0};
  comparison.before.places = InSourceOrder(std::move(comparison.before.places));
  comparison.after.places = InSourceOrder(std::move(comparison.after.places));
  const std::vector<Measured>& old_places = comparison.before.places;
  const std::vector<Measured>& new_places = comparison.after.places;
  const auto matched = Match(KeysOf(old_places), KeysOf(new_places));
  std::vector<bool> taken(new_places.size());
  for (std::size_t i = 0; i < old_places.size(); ++i) {
    const Measured& old_place = old_places[i];
    if (matched[i]) {
      const Measured& new_place = new_places[*matched[i]];
      taken[*matched[i]] = true;
      if (!old_place.is_finding && !new_place.is_finding) continue;
      comparison.differences.push_back(DifferenceOf(old_place, new_place, tolerance));
    } else if (old_place.is_finding) {
      const bool checked = comparison.after.kernels.contains(old_place.kernel);
      comparison.differences.push_back(
          {checked ? Change::kVanished : Change::kNotSeen, old_place, std::nullopt, false});
    }
  }
  for (std::size_t i = 0; i < new_places.size(); ++i) {
    if (taken[i] || !new_places[i].is_finding) continue;
    comparison.differences.push_back({Change::kAppeared, std::nullopt, new_places[i], false});
  }
  for (const auto* places : {&old_places, &new_places}) {
    comparison.lines_unknown += static_cast<std::size_t>(std::ranges::count_if(
        *places, [](const Measured& one) { return one.in_scope && one.text.empty(); }));
  }
  std::ranges::stable_sort(comparison.differences, [](const Difference& a, const Difference& b) {
    return std::make_tuple(a.change, WastedOf(b)) < std::make_tuple(b.change, WastedOf(a));
  });
  return comparison;
}

}  // namespace coalcheck::comparison
