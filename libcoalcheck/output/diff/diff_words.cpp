// SPDX-License-Identifier: Apache-2.0
//
// Formatting of pairs.
#include "libcoalcheck/output/diff/diff_words.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

using comparison::Change;
using comparison::Comparison;
using comparison::Difference;
using comparison::Measured;
using comparison::MeasuredRun;

constexpr std::size_t kMostRows = 10;  // notes of one run; how many more there are is said
constexpr double kMostPrinted = 9e18;  // fits 64 bits

const Measured& Newest(const Difference& difference) {
  return difference.after ? *difference.after : *difference.before;
}

// "a -> b", or the one there is; equal ones once.
std::string Arrow(const std::optional<std::string>& before,
                  const std::optional<std::string>& after) {
  if (!before || !after) return before ? *before : after.value_or("");
  return *before == *after ? *after : fmt::format("{} -> {}", *before, *after);
}

template <typename ToText>
std::string OfBoth(const Difference& difference, ToText to_text) {
  std::optional<std::string> before;
  std::optional<std::string> after;
  if (difference.before) before = to_text(*difference.before);
  if (difference.after) after = to_text(*difference.after);
  return Arrow(before, after);
}

std::string LaunchesOf(const MeasuredRun& run) {
  if (run.is_predicted) return words::Printable(run.name) + " is predicted";
  return fmt::format("{} of {} checked in {}", words::Grouped(run.launches_checked.count()),
                     words::Count(run.launches.count(), "launch", "launches"),
                     words::Printable(run.name));
}

// A JSON report remembers what its own thresholds made findings of.
std::string OtherThresholds(const Comparison& comparison) {
  const std::optional<double> before = comparison.before.min_wasted_share;
  const std::optional<double> after = comparison.after.min_wasted_share;
  if (!before || !after || std::abs(*before - *after) < 1e-9) return {};
  return fmt::format(
      "findings begin at {} wasted in {}, at {} in {}: lines between both appear or "
      "vanish for that alone (--min-wasted-share)",
      words::Percent(*before), words::Printable(comparison.before.name), words::Percent(*after),
      words::Printable(comparison.after.name));
}

// What each run's verdict rests on; what both say once.
void AddNotesOfRuns(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto add = [&](const std::string& name, const std::vector<std::string>& own) {
    for (std::size_t i = 0; i < own.size() && i < kMostRows; ++i) {
      notes.push_back(fmt::format("{}: {}", name, words::Printable(own[i])));
    }
    if (own.size() <= kMostRows) return;
    notes.push_back(
        fmt::format("{}: … and {} more notes", name, words::Grouped(own.size() - kMostRows)));
  };
  const std::vector<std::string>& before = comparison.before.notes;
  const std::vector<std::string>& after = comparison.after.notes;
  const absl::flat_hash_set<std::string_view> of_before(before.begin(), before.end());
  const absl::flat_hash_set<std::string_view> of_after(after.begin(), after.end());
  std::vector<std::string> both;
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  for (const std::string& note : before) {
    (of_after.contains(note) ? both : only_before).push_back(note);
  }
  for (const std::string& note : after) {
    if (!of_before.contains(note)) only_after.push_back(note);
  }
  add("both runs", both);
  add(words::Printable(comparison.before.name), only_before);
  add(words::Printable(comparison.after.name), only_after);
}

}  // namespace

std::string PlaceOf(const Difference& difference) {
  const Measured& place = Newest(difference);
  if (place.path.empty()) return words::Printable(place.kernel);
  return fmt::format("{}:{}", words::Printable(place.path), place.line);
}

std::string WasteChange(const Difference& difference) {
  const auto share = [](const Measured& place) { return words::Percent(place.waste().share); };
  const bool before = !difference.before || difference.before->waste().sectors_per_request;
  const bool after = !difference.after || difference.after->waste().sectors_per_request;
  if (!before || !after) return OfBoth(difference, share) + " of the sectors";
  const std::string sectors = OfBoth(difference, [](const Measured& place) {
    return words::Average(*place.waste().sectors_per_request);
  });
  return fmt::format("{} {} per request ({})", sectors, sectors == "1" ? "sector" : "sectors",
                     OfBoth(difference, share));
}

std::string PerLaunchChange(const Difference& difference) {
  return OfBoth(difference, [](const Measured& place) {
    const double wasted = std::min(std::round(place.WastedPerLaunch()), kMostPrinted);
    return words::Short(static_cast<std::uint64_t>(wasted));
  });
}

std::string WaitingChange(const Difference& difference) {
  if (difference.before && !difference.before->waiting) return {};
  if (difference.after && !difference.after->waiting) return {};
  return OfBoth(difference, [](const Measured& place) { return words::Percent(*place.waiting); });
}

std::string IncompleteNote(const MeasuredRun& run) {
  return fmt::format("{} is not complete: {}", words::Printable(run.name),
                     words::Printable(run.incomplete));
}

namespace {

std::string Waste(const comparison::WasteRate& waste) {
  return waste.sectors_per_request
             ? words::Average(*waste.sectors_per_request) + " wasted sectors per request"
             : words::Percent(waste.share) + " wasted";
}

void AddWorseAlone(const Comparison& comparison, std::vector<std::string>& notes) {
  std::size_t rows = 0;
  for (const Difference& one : comparison.differences) {
    if (!one.worse_alone || ++rows > kMostRows) continue;
    notes.push_back(fmt::format("{}: {}: worse in {} alone: {}, it was {}", PlaceOf(one),
                                words::Printable(one.after->kind),
                                words::Printable(one.after->worst->recording),
                                Waste(one.after->worst->waste), Waste(one.before->waste())));
  }
  if (rows <= kMostRows) return;
  notes.push_back(fmt::format("… and {} more that are worse in one recording alone",
                              words::Grouped(rows - kMostRows)));
}

}  // namespace

std::vector<std::string> DiffNotes(const Comparison& comparison) {
  std::vector<std::string> notes;
  for (const MeasuredRun* run : {&comparison.before, &comparison.after}) {
    if (!run->incomplete.empty()) notes.push_back(IncompleteNote(*run));
  }
  AddNotesOfRuns(comparison, notes);
  AddWorseAlone(comparison, notes);
  notes.push_back(fmt::format("{}; {}; waste is compared per request, and per launch checked",
                              LaunchesOf(comparison.before), LaunchesOf(comparison.after)));
  if (const std::string other = OtherThresholds(comparison); !other.empty()) notes.push_back(other);
  if (!comparison.HasCommonKernels()) {
    notes.push_back("no kernel was checked in both runs: nothing was compared");
  }
  if (!comparison.before.has_cost || !comparison.after.has_cost) {
    notes.push_back(fmt::format("cost not compared: what warps wait for was not sampled in {}",
                                comparison.before.has_cost ? words::Printable(comparison.after.name)
                                : comparison.after.has_cost
                                    ? words::Printable(comparison.before.name)
                                    : std::string("either run")));
  }
  if (comparison.lines_unknown > 0) {
    notes.push_back(
        fmt::format("the text of {} could not be read: they are matched by kernel and order only "
                    "(--source-root, --path-map, --base-source-root, --base-path-map)",
                    words::Count(comparison.lines_unknown, "line", "lines")));
  }
  return notes;
}

std::string DiffSummary(const Comparison& comparison) {
  std::string summary;
  for (const Change change : {Change::kWorsened, Change::kAppeared, Change::kImproved,
                              Change::kVanished, Change::kNotSeen, Change::kUnchanged}) {
    const std::size_t number = comparison.Number(change);
    if (number == 0) continue;
    if (!summary.empty()) summary += ", ";
    summary += fmt::format("{} {}", words::Grouped(number), ToString(change));
  }
  return summary.empty() ? "no findings in either run" : summary;
}

}  // namespace coalcheck::output
