// SPDX-License-Identifier: Apache-2.0
//
// Lays out addresses lane by lane and has them counted.
#include "libcoalcheck/patterns/collisions.h"

#include <algorithm>
#include <array>

#include "libcoalcheck/patterns/candidate_set.h"
#include "libcoalcheck/patterns/spans.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::patterns {
namespace {

constexpr std::uint64_t kLine = kCacheLineSize.count();
constexpr std::array<std::uint64_t, 5> kWidths = {1, 2, 4, 8, 16};
// Distances that make everything further apart than a line.
constexpr std::array<std::uint64_t, 3> kFar = {kLine, 2 * kLine, 32 * kLine};

class Tabulation {
 public:
  explicit Tabulation(std::uint64_t width)
      : width_(width), packed_(kWarpSize * width / kSector), packed_lines_((packed_ + 3) / 4) {}

  CountsTable Run() {
    for (std::uint64_t phase = 0; phase < kLine; phase += width_) {
      Consecutive(phase);
      for (std::uint64_t lanes = 2; lanes <= kWarpSize; lanes *= 2) Shared(phase, lanes);
      for (std::uint64_t lanes = 2; lanes < kWarpSize; lanes *= 2) Runs(phase, lanes);
      for (std::uint64_t step = 2 * width_; step < kLine; step += width_) {
        AddSteps(CountsOf([=](std::uint64_t lane) { return phase + lane * step; }), {step, step});
      }
      for (const std::uint64_t step : kFar) {
        AddSteps(CountsOf([=](std::uint64_t lane) { return phase + lane * step; }),
                 {kLine, std::nullopt});
      }
    }
    // An index that no two lanes share a line by.
    const FullCounts each_alone{Sectors(kWarpSize), CacheLines(kWarpSize)};
    if (packed_ + 1 < kWarpSize) sets_[each_alone].Add(Pattern::kScattered);
    CountsTable table;
    for (const auto& [counts, set] : sets_) table[counts] = set.InOrder();
    return table;
  }

 private:
  template <typename AddressOf>
  FullCounts CountsOf(AddressOf address_of) const {
    sectors::WarpRequest request;
    request.width = static_cast<std::uint32_t>(width_);
    request.active = ~0U;
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
      request.address[lane] = address_of(lane);
    }
    const sectors::RequestCounts counts = sectors::Count(request);
    return {counts.sectors, counts.lines};
  }

  void Consecutive(std::uint64_t phase) {
    const FullCounts counts =
        CountsOf([=, this](std::uint64_t lane) { return phase + lane * width_; });
    if (phase % kSector == 0) {
      sets_[counts].Add(width_ <= 2 ? Pattern::kNarrow : Pattern::kCoalesced);
    } else if (counts.sectors > Sectors(packed_)) {
      sets_[counts].Add(Pattern::kMisaligned, phase % kSector);
    }
  }

  void Shared(std::uint64_t phase, std::uint64_t lanes) {
    for (const std::uint64_t apart : {width_, kLine}) {
      const FullCounts counts =
          CountsOf([=](std::uint64_t lane) { return phase + lane / lanes * apart; });
      sets_[counts].Add(Pattern::kBroadcast, lanes);
    }
  }

  void Runs(std::uint64_t phase, std::uint64_t lanes) {
    const std::uint64_t size = lanes * width_;
    const std::uint64_t lines = (size + kLine - 1) / kLine;
    if (lanes == 2 && phase % size != 0) return;
    if ((phase + size + kLine - 1) / kLine > lines) return;  // they cross one line more
    const std::uint64_t apart = (lines + 1) * kLine;
    const FullCounts counts = CountsOf([=, this](std::uint64_t lane) {
      return phase + lane / lanes * apart + lane % lanes * width_;
    });
    const bool costs =
        counts.sectors > Sectors(packed_) || counts.lines > CacheLines(packed_lines_);
    if (costs) sets_[counts].Add(Pattern::kRuns, lanes);
  }

  void AddSteps(const FullCounts& counts, ParameterRange step) { sets_[counts].AddStep(step); }

  std::uint64_t width_;
  std::uint64_t packed_;  // sectors of consecutive elements from a sector on
  std::uint64_t packed_lines_;
  std::map<FullCounts, CandidateSet> sets_;
};

}  // namespace

CountsTable TabulateCounts(Bytes width) { return Tabulation(width.count()).Run(); }

std::vector<CollisionClass> CollisionClasses() {
  std::map<std::vector<Pattern>, CollisionClass> classes;
  for (const std::uint64_t width : kWidths) {
    for (const auto& [counts, candidates] : TabulateCounts(Bytes(width))) {
      std::vector<Pattern> patterns;
      for (const Candidate& one : candidates) patterns.push_back(one.pattern);
      CollisionClass& of = classes[patterns];
      of.patterns = patterns;
      if (of.widths.empty() || of.widths.back().width != Bytes(width)) {
        of.widths.push_back({Bytes(width), 0, counts});
      }
      ++of.widths.back().pairs;
    }
  }
  std::vector<CollisionClass> sorted;
  sorted.reserve(classes.size());
  for (auto& [patterns, of] : classes) sorted.push_back(std::move(of));
  std::ranges::stable_sort(sorted, {}, [](const CollisionClass& of) { return of.patterns.size(); });
  return sorted;
}

std::vector<StepsOfWidth> StepsFromCounts() {
  std::vector<StepsOfWidth> all;
  for (const std::uint64_t width : kWidths) {
    StepsOfWidth of{Bytes(width)};
    std::map<std::uint64_t, bool> is_exact;
    for (const auto& [counts, candidates] : TabulateCounts(Bytes(width))) {
      const auto strided = std::ranges::find(candidates, Pattern::kStrided, &Candidate::pattern);
      if (strided == candidates.end() || !strided->parameter.high) continue;
      const ParameterRange& step = strided->parameter;
      of.widest = std::max(of.widest, *step.high - step.low);
      for (std::uint64_t one = step.low; one <= *step.high && one < kSector; one += width) {
        const auto [entry, is_new] = is_exact.try_emplace(one, true);
        entry->second = entry->second && step.IsExact();
      }
    }
    of.below_sector = is_exact.size();
    for (const auto& [step, exact] : is_exact) of.exact += exact ? 1U : 0U;
    all.push_back(of);
  }
  return all;
}

}  // namespace coalcheck::patterns
