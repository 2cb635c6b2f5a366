// SPDX-License-Identifier: Apache-2.0
//
// Minima first: the first one that is not reached decides; then the maxima.
#include "libcoalcheck/policy/thresholds.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>

#include "libcoalcheck/findings/places/worst_part.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::policy {
namespace {

using findings::Access;
using findings::Report;

constexpr Key kMinima[] = {Key::kMinWastedShare, Key::kMinRequests, Key::kMinWastedBytes,
                           Key::kMinCost};
constexpr Key kMaxima[] = {Key::kMaxWastedShare, Key::kMaxSectorsPerRequest};

// In the key's unit; empty where the recording does not say. What is not known excuses nothing.
std::optional<double> ValueOf(Key key, const Report& report, const Access& access) {
  const Counts& counts = access.counts;
  const bool has_requests = report.present.requests && counts.requests > Requests(0);
  const bool has_launches = access.launches_checked > Launches(0);
  switch (key) {
    case Key::kMinWastedShare:
    case Key::kMaxWastedShare:
      return findings::WorstWastedShare(access) * 100;
    case Key::kMinRequests:
      if (!has_requests || !has_launches) return std::nullopt;
      return Per(counts.requests, access.launches_checked);
    case Key::kMinWastedBytes:
      if (!has_launches) return std::nullopt;
      return Per(counts.Wasted(), access.launches_checked) *
             static_cast<double>(kSectorSize.count());
    case Key::kMinCost:
      if (!access.cost) return std::nullopt;
      return access.cost->most_of_program * counts.WastedShare() * 100;
    case Key::kMaxSectorsPerRequest:
      if (!has_requests) return std::nullopt;
      return Per(counts.sectors, counts.requests);
  }
  return std::nullopt;
}

// Counts in full, "117 440 512", as far as a double is sure of them.
std::string NumberOf(double value, Key key) {
  const bool is_count = value < 1e15 && value == std::floor(value);
  return (is_count ? words::Grouped(static_cast<std::uint64_t>(value))
                   : fmt::format("{:.6g}", value)) +
         std::string(UnitOf(key));
}

// " in the worst of 3 loads", where that is what is compared.
std::string OfWhat(Key key, const Access& access) {
  const bool is_share = key == Key::kMinWastedShare || key == Key::kMaxWastedShare;
  const auto worst = is_share ? findings::WorstPartOf(access) : std::nullopt;
  if (!worst) return {};
  return fmt::format(" in the worst of {} {}", worst->of, cubin::Plural(access.kind));
}

std::string Sentence(Key key, const Access& access, const std::optional<double>& value,
                     std::string_view how, const Limit& limit) {
  return fmt::format("{}{} {} {} {} ({})", value ? NumberOf(*value, key) : "what is not known",
                     OfWhat(key, access), how, ToString(key), NumberOf(limit.value, key),
                     limit.origin);
}

const std::optional<Limit>& LimitOf(const Thresholds& thresholds, Key key) {
  return thresholds[static_cast<std::size_t>(key)];
}

}  // namespace

Ruling RuleOn(const Report& report, const Access& access, const Thresholds& thresholds) {
  if (access.counts.Wasted() == Sectors(0)) return {false, "wastes nothing"};
  std::string reached;
  for (const Key key : kMinima) {
    const std::optional<Limit>& limit = LimitOf(thresholds, key);
    if (!limit) continue;
    const std::optional<double> value = ValueOf(key, report, access);
    // Compared as shares: 1 of 10 sectors reaches 0.1, although 100 times 0.1 is inexact in binary.
    const bool is_below = value && *value < limit->value * (1 - 1e-12);
    if (is_below) return {false, Sentence(key, access, value, "is below", *limit)};
    reached += fmt::format("{}{}", reached.empty() ? "" : "; ",
                           Sentence(key, access, value, "is not below", *limit));
  }
  std::string kept;
  for (const Key key : kMaxima) {
    const std::optional<Limit>& limit = LimitOf(thresholds, key);
    if (!limit) continue;
    const std::optional<double> value = ValueOf(key, report, access);
    if (!value || *value > limit->value * (1 + 1e-12)) {
      return {true, Sentence(key, access, value, "exceeds", *limit)};
    }
    kept += fmt::format("{}{}", kept.empty() ? "" : "; ",
                        Sentence(key, access, value, "does not exceed", *limit));
  }
  if (!kept.empty()) return {false, kept};
  return {true, reached.empty() ? "it wastes sectors, and no threshold is set" : reached};
}

}  // namespace coalcheck::policy
