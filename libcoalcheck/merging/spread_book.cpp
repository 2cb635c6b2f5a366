// SPDX-License-Identifier: Apache-2.0
//
// The unit is a process: what it counted of one shape is summed before it is compared, so that
// processes can be merged in any order.
#include "libcoalcheck/merging/spread_book.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "libcoalcheck/merging/counters.h"
#include "libcoalcheck/recording/merged_fields.h"

namespace coalcheck::merging {
namespace {

using recording::Extent;
using recording::kNamedRanks;
using recording::RankValue;
using recording::SpreadRow;
using recording::SpreadStep;

__extension__ using Wide = unsigned __int128;

// No request touches more.
constexpr std::uint32_t kMostEighths = 8 * 128;

struct RowSum {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t ideal = 0;
};

// Of equal rates that of the lowest rank, then a fixed one.
bool IsBefore(const RankValue& a, const RankValue& b, bool most) {
  const std::strong_ordering rates = most ? CompareRates(b, a) : CompareRates(a, b);
  if (rates != 0) return rates < 0;
  return std::tie(a.rank, a.requests, a.sectors) < std::tie(b.rank, b.requests, b.sectors);
}

std::uint64_t SumOf(std::uint64_t a, std::uint64_t b) {
  return (Launches(a) + Launches(b)).count();  // saturating
}

void AddStep(const SpreadStep& step, std::vector<SpreadStep>& steps) {
  const auto place = std::ranges::lower_bound(steps, step.eighths, {}, &SpreadStep::eighths);
  if (place == steps.end() || place->eighths != step.eighths) {
    steps.insert(place, step);
    return;
  }
  place->processes = SumOf(place->processes, step.processes);
  std::vector<std::uint32_t> ranks;
  std::ranges::set_union(place->ranks, step.ranks, std::back_inserter(ranks));
  if (ranks.size() > kNamedRanks) ranks.resize(kNamedRanks);
  place->ranks = std::move(ranks);
}

void AddExtent(const Extent& other, Extent& extent) {
  if (extent.steps.empty()) {
    extent = other;
    return;
  }
  if (IsBefore(other.least, extent.least, false)) extent.least = other.least;
  if (IsBefore(other.most, extent.most, true)) extent.most = other.most;
  for (const SpreadStep& step : other.steps) AddStep(step, extent.steps);
}

void AddRow(const SpreadRow& other, SpreadRow& row) {
  row.pc = other.pc;
  row.processes = SumOf(row.processes, other.processes);
  AddExtent(other.touched, row.touched);
  AddExtent(other.wasted, row.wasted);
}

Extent ExtentOf(std::uint64_t sectors, std::uint64_t requests, std::uint32_t rank) {
  const RankValue value{sectors, requests, rank};
  const Wide eighths = Wide{8} * sectors / requests;
  const auto step = static_cast<std::uint32_t>(std::min(eighths, Wide{kMostEighths}));
  return {value, value, {{step, 1, {rank}}}};
}

// The one shape in which the window has launches of that kernel.
const recording::LaunchShape* OneShape(const recording::Window& window, const std::string& kernel) {
  const recording::LaunchShape* shape = nullptr;
  for (const recording::LaunchesInside& inside : window.inside) {
    if (inside.shape.kernel != kernel) continue;
    const bool is_other = shape != nullptr &&
                          (shape->grid != inside.shape.grid || shape->block != inside.shape.block);
    if (is_other) return nullptr;
    shape = &inside.shape;
  }
  return shape;
}

}  // namespace

std::strong_ordering CompareRates(const RankValue& a, const RankValue& b) {
  return Wide{a.sectors} * b.requests <=> Wide{b.sectors} * a.requests;
}

void SpreadBook::Add(const recording::RecordedRun& run) {
  if (!run.is_merged()) return AddProcess(run);
  for (const recording::Spread& spread : run.spreads) AddSpread(spread);
}

void SpreadBook::AddProcess(const recording::RecordedRun& run) {
  const Counters& counters = run.header.counters;
  const Column requests(counters, recording::kRequests);
  const Column async(counters, recording::kAsyncRequests);
  const Column sectors(counters, recording::kSectors);
  const Column ideal(counters, recording::kIdealSectors);
  if (!run.header.job.rank || !requests.exists() || !CanJudge(counters)) return;
  std::map<Key, std::map<PcOffset, RowSum>> sums;
  for (const recording::Window& window : run.windows) {
    if (window.dropped_records != 0) continue;
    for (const recording::FunctionCounts& counts : window.functions) {
      const recording::LaunchShape* shape = OneShape(window, counts.function);
      if (!counts.cubin || shape == nullptr) continue;
      auto& rows = sums[{*counts.cubin, counts.function, shape->grid, shape->block}];
      for (const recording::CountRow& row : counts.rows) {
        RowSum& sum = rows[row.pc];
        sum.requests += requests.Of(row) + async.Of(row);
        sum.sectors += sectors.Of(row);
        sum.ideal += ideal.Of(row);
      }
    }
  }
  const std::uint32_t rank = *run.header.job.rank;
  for (const auto& [key, rows] : sums) {
    for (const auto& [pc, sum] : rows) {
      if (sum.requests == 0) continue;
      const std::uint64_t wasted = sum.sectors - std::min(sum.ideal, sum.sectors);
      AddRow(
          {pc, 1, ExtentOf(sum.sectors, sum.requests, rank), ExtentOf(wasted, sum.requests, rank)},
          spreads_[key][pc]);
    }
  }
}

void SpreadBook::AddSpread(const recording::Spread& spread) {
  Rows& rows = spreads_[{spread.cubin, spread.function, spread.grid, spread.block}];
  for (const SpreadRow& row : spread.rows) AddRow(row, rows[row.pc]);
}

std::vector<recording::Spread> SpreadBook::Take() && {
  std::vector<recording::Spread> spreads;
  for (auto& [key, rows] : spreads_) {
    recording::Spread& spread = spreads.emplace_back();
    spread = {key.cubin, key.function, key.grid, key.block, {}};
    for (auto& [pc, row] : rows) spread.rows.push_back(std::move(row));
  }
  return spreads;
}

}  // namespace coalcheck::merging
