// SPDX-License-Identifier: Apache-2.0
//
// The policy, and its sentences.
#include "injection/agent/counting/window_policy.h"

#include <fmt/format.h>

#include <string>

#include "injection/agent/process/say.h"
#include "libcoalcheck/base/demangle.h"

namespace coalcheck::agent {
namespace {

constexpr std::chrono::seconds kLongWindow{2};
// A program that windows have held for so long in all is told so.
constexpr std::chrono::seconds kMuch{20};
constexpr double kMostTimesSaid = 100;

std::string NameOf(const ShapeEntry& entry) { return Demangle(entry.shape().kernel); }

}  // namespace

selection::RankShare WindowPolicy::ShareOf(const options::AgentOptions& options,
                                           const recording::JobMembership& job) {
  if (!options.rank_share || !job.rank || !job.world_size) return {};
  return {*job.rank, *job.world_size};
}

bool WindowPolicy::MayHaveWindow(const ShapeEntry& entry, const selection::ShapeHistory& history,
                                 Skip& reason) {
  const selection::Wish wish = selection::WishFor(options_.sampling, history);
  if (wish == selection::Wish::kNo) return false;
  if (options_.sampling.kind != selection::Sampling::Kind::kAuto) return true;
  const bool is_further_shape = history.windows == 0 && history.kernel_windows > 0;
  if (is_further_shape && !share_.Has(entry.hash())) {
    reason = Skip::kOtherRanks;
    return false;
  }
  if (wish == selection::Wish::kIfAffordable && !budget_.Affords(clock_.Now() - start_)) {
    reason = Skip::kBudget;
    return false;
  }
  if (IsWithinLimit(entry)) return true;
  reason = Skip::kWindowLimit;
  return false;
}

bool WindowPolicy::IsWithinLimit(const ShapeEntry& entry) {
  if (options_.window_limit.count() == 0) return !options_.filters.kernel.empty();
  const auto expected = entry.kernel().cost.Expected(entry.threads());
  const bool is_too_long = expected && *expected > options_.window_limit;
  if (is_too_long && !entry.kernel().cost_was_told.exchange(true)) TellCost(entry, *expected);
  return !is_too_long || !options_.filters.kernel.empty();
}

void WindowPolicy::TellCost(const ShapeEntry& entry, std::chrono::nanoseconds expected) {
  const std::string name = NameOf(entry);
  if (!options_.filters.kernel.empty()) {
    return SayIsCounted(name, "is expected to", expected);
  }
  const auto limit = std::chrono::floor<std::chrono::milliseconds>(expected);
  session_.WriteLoss(
      recording::loss::kWindowLimit,
      fmt::format("{}: one more window is expected to take {}; {}", name, InSeconds(expected),
                  WhatCountsIt(name, limit + std::chrono::milliseconds(1))),
      1);
}

void WindowPolicy::NoteCost(const ShapeEntry& entry, const LaunchTimes& times) {
  const auto took = TakenSince(times.held);
  const auto with_kernel = TakenSince(launches_block_ ? times.called : times.returned);
  first_windows_.Took(entry, took, TakenSince(times.called));
  entry.kernel().cost.Took(entry.threads(), took - with_kernel, with_kernel);
  if (!CountsOn() || took < kLongWindow || long_window_was_told_.exchange(true)) return;
  const bool all = options_.sampling.kind == selection::Sampling::Kind::kAll;
  Say(fmt::format(
      "a window of {} took {}; --sampling {} counts {} of it: a hundred take {:.0f} min",
      NameOf(entry), InSeconds(took), selection::ToString(options_.sampling),
      all ? "every launch" : "many launches",
      std::chrono::duration<double, std::ratio<60>>(took * 100).count()));
}

void WindowPolicy::Charge(Clock::TimePoint since) {
  budget_.Spent(TakenSince(since));
  if (CountsOn() && budget_.spent() >= kMuch) TellSlowness();
}

void WindowPolicy::TellSlowness() {
  const auto elapsed = clock_.Now() - start_;
  const auto own = elapsed - budget_.spent();  // of several threads, none perhaps
  if (own * 2 > elapsed || slowness_was_told_.exchange(true)) return;
  const double times = static_cast<double>(elapsed.count()) /
                       static_cast<double>(std::max<std::int64_t>(own.count(), 1));
  const std::string slower =
      times < kMostTimesSaid ? fmt::format("{:.0f} times", times) : "far more than 100 times";
  Say(
      fmt::format("windows have held the program for {} of its {}: with --sampling {} it may take "
                  "{} as long; --sampling first, or auto, counts fewer launches",
                  InSeconds(budget_.spent()), InSeconds(elapsed),
                  selection::ToString(options_.sampling), slower));
}

recording::Cost WindowPolicy::CostOf(std::uint64_t windows_closed) const {
  using Seconds = std::chrono::duration<double>;
  const bool has_budget = options_.sampling.kind == selection::Sampling::Kind::kAuto;
  return {.windows = windows_closed,
          .seconds = Seconds(budget_.spent()).count(),
          .elapsed = Seconds(clock_.Now() - start_).count(),
          .budget_percent = has_budget ? options_.budget.parts_per_million() / 10000.0 : 0};
}

}  // namespace coalcheck::agent
