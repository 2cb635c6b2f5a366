// SPDX-License-Identifier: Apache-2.0
//
// Tallies, and the history that sampling decides by.
#include "injection/agent/shapes/shape_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "injection/agent/shapes/launch_filters.h"

namespace coalcheck::agent {
namespace {

std::uint64_t HashOf(const recording::LaunchShape& shape) {
  const recording::Dim3& grid = shape.grid;
  const recording::Dim3& block = shape.block;
  const std::string words = fmt::format("{} {} {} {} {} {} {}", grid.x, grid.y, grid.z, block.x,
                                        block.y, block.z, shape.kernel);
  return HashCubin(words).value();
}

}  // namespace

ShapeEntry::ShapeEntry(recording::LaunchShape shape, std::shared_ptr<KernelState> kernel,
                       std::shared_ptr<ShapeState> state, std::optional<Skip> left_out)
    : shape_(std::move(shape)),
      hash_(HashOf(shape_)),
      kernel_(std::move(kernel)),
      state_(std::move(state)),
      left_out_(left_out) {}

ShapeEntry::ShapeEntry(recording::LaunchShape shape)
    : ShapeEntry(std::move(shape), std::make_shared<KernelState>(), std::make_shared<ShapeState>(),
                 std::nullopt) {
  kernel_->excluded = IsCollective(shape_.kernel);
}

// What a driver accepts does not overflow; anything else is never launched.
std::uint64_t ShapeEntry::threads() const { return shape_.grid.count() * shape_.block.count(); }

selection::ShapeHistory ShapeEntry::History(selection::Sampling::Kind sampling) const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const bool only_here = sampling == selection::Sampling::Kind::kAuto;
  const ShapeProgress& progress = only_here ? here_ : state_->progress;
  return {
      .earlier_launches = progress.launches.load(kRelaxed),
      .windows = std::max(progress.windows.load(kRelaxed), progress.counted.load(kRelaxed)),
      .missed = state_->missed_in_a_row.load(kRelaxed),
      .ended_late = kernel_->ended_late.load(kRelaxed),
      .kernel_windows = std::max(kernel_->windows.load(kRelaxed), kernel_->counted.load(kRelaxed)),
      .last_window_launch = progress.last_window_launch.load(kRelaxed),
      .counts_differ = kernel_->counts_differ.load(kRelaxed)};
}

selection::ShapeHistory ShapeEntry::NextLaunch(selection::Sampling::Kind sampling, bool left_out) {
  launches_.fetch_add(1, std::memory_order_relaxed);
  selection::ShapeHistory history = History(sampling);
  if (left_out) return history;
  const bool only_here = sampling == selection::Sampling::Kind::kAuto;
  ShapeProgress& progress = only_here ? here_ : state_->progress;
  history.earlier_launches = progress.launches.fetch_add(1, std::memory_order_relaxed);
  return history;
}

void ShapeEntry::AddLaunches(Launches launches, Skip reason) {
  launches_ += launches.count();
  skipped_[static_cast<std::size_t>(reason)] += launches.count();
}

void ShapeEntry::Opened() {
  for (ShapeProgress* progress : {&here_, &state_->progress}) {
    progress->windows++;
    progress->last_window_launch = progress->launches.load();
  }
  kernel_->windows++;
  state_->missed_in_a_row = 0;
}

void ShapeEntry::WindowDiscarded() {
  here_.windows--;
  state_->progress.windows--;
  kernel_->windows--;
  Missed();
}

void ShapeEntry::Counted(Launches launches) {
  here_.counted += launches.count();
  state_->progress.counted += launches.count();
  kernel_->counted += launches.count();
}

void ShapeEntry::CameTo(std::uint64_t digest) {
  const std::uint64_t before = state_->last_counts.exchange(digest);
  if (before != 0 && before != digest) kernel_->counts_differ = true;
}

recording::Tally ShapeEntry::Tally() const {
  recording::Tally tally{
      .shape = shape_, .launches = Launches(launches_.load()), .counted = counted(), .skipped = {}};
  for (std::size_t i = 0; i < kAgentSkips; ++i) {
    const std::uint64_t launches = skipped_[i].load();
    if (launches == 0) continue;
    tally.skipped.push_back({std::string(ToString(static_cast<Skip>(i))), Launches(launches)});
  }
  return tally;
}

}  // namespace coalcheck::agent
