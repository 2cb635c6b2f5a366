// SPDX-License-Identifier: Apache-2.0
//
// Requests that differ, or of which some lanes are inactive: a pattern fits when both averages lie
// within what its requests can have.
#include <algorithm>
#include <cmath>

#include "libcoalcheck/patterns/fitting.h"
#include "libcoalcheck/patterns/spans.h"

namespace coalcheck::patterns {
namespace {

constexpr double kAllLanes = kWarpSize;
// Above it only a few requests can lack lanes: the last warp of a row, not a pattern.
constexpr double kNearlyAll = kAllLanes - 1;

class AveragedRequests {
 public:
  AveragedRequests(const Averages& request, CandidateSet& fitting)
      : request_(request), width_(static_cast<double>(request.width)), fitting_(fitting) {}

  void Fit() {
    FitConsecutive();
    FitPartial();
    for (std::uint64_t lanes = 2; lanes <= kWarpSize; lanes *= 2) FitShared(lanes);
    for (std::uint64_t lanes = 2; lanes < kWarpSize; lanes *= 2) FitRuns(lanes);
    for (std::uint64_t step = 2 * request_.width; step < kLine; step += request_.width) {
      FitStep(step);
    }
    if (request_.lane_each && request_.line_each && request_.lanes > 1) {
      fitting_.AddStep({kLine, std::nullopt});
    }
  }

 private:
  bool Fits(Bounds sectors, Bounds lines) const {
    return sectors.Contain(request_.sectors) && lines.Contain(request_.lines);
  }

  // Blocks that a span of bytes touches, which is `span` on average.
  Bounds Blocks(double span, std::uint64_t granule) const {
    const bool each_known = request_.full || request_.alike;
    return each_known ? BlocksOf(span, request_.width, granule)
                      : BlocksOfAverage(span, request_.width, granule);
  }

  void FitConsecutive() {
    const double span = request_.lanes * width_;
    if (!Fits(Blocks(span, kSector), Blocks(span, kLine))) return;
    if (!request_.clean && request_.width < kSector) {
      fitting_.Add(Pattern::kMisaligned, {request_.width, kSector - request_.width});
    } else if (request_.lanes > kNearlyAll && request_.sectors >= request_.Packed()) {
      fitting_.Add(request_.width <= 2 ? Pattern::kNarrow : Pattern::kCoalesced);
    }
  }

  // 32 elements in a row from anywhere, of which any lanes take theirs.
  void FitPartial() {
    if (request_.full) return;
    const double window = kAllLanes * width_;
    const double lacking = window / kSector - request_.Packed();
    const double misaligned = request_.lanes > kNearlyAll ? 0 : 1;
    const Bounds sectors = {
        std::min(request_.Packed(), request_.sectors),
        std::min(request_.lanes, BlocksOf(window, request_.width, kSector).high)};
    const Bounds lines = {request_.sectors * kSector / kLine,
                          std::min(request_.sectors, BlocksOf(window, request_.width, kLine).high)};
    const bool explains = request_.sectors - request_.ideal <= lacking + misaligned;
    const bool nearly_clean = request_.clean && request_.lanes > kNearlyAll;
    if (explains && !nearly_clean && Fits(sectors, lines)) fitting_.Add(Pattern::kPartialWarps);
  }

  // How many groups of `size` lanes the active ones can be in.
  Bounds Groups(std::uint64_t size) const {
    const auto lanes = static_cast<double>(size);
    return {request_.lanes / lanes, std::min(request_.lanes, kAllLanes / lanes)};
  }

  void FitShared(std::uint64_t lanes) {
    if (request_.lanes <= 1) return;
    const Bounds groups = Groups(lanes);
    const Bounds apart = {std::max(1.0, groups.low), std::max(1.0, groups.high)};
    const auto together = [&](std::uint64_t granule) {
      return Bounds{
          std::min(1.0, groups.low * width_ / static_cast<double>(granule)),
          std::min(apart.high, BlocksOf(groups.high * width_, request_.width, granule).high)};
    };
    const bool are_together = Fits(together(kSector), together(kLine));
    if (are_together || Fits(apart, apart)) fitting_.Add(Pattern::kBroadcast, lanes);
  }

  void FitRuns(std::uint64_t lanes) {
    const double packed_lines = std::ceil(request_.Packed() * kSector / kLine);
    if (request_.clean && request_.lines <= packed_lines) return;
    const Bounds runs = Groups(lanes);
    const std::uint64_t unit = lanes == 2 ? lanes * request_.width : request_.width;
    const double size = static_cast<double>(lanes) * width_;
    const auto blocks = [&](std::uint64_t granule) {
      const double most = runs.high * BlocksOf(size, unit, granule).high;
      return Bounds{std::max(runs.low, request_.lanes * width_ / static_cast<double>(granule)),
                    std::min(request_.lanes, most)};
    };
    if (Fits(blocks(kSector), blocks(kLine))) fitting_.Add(Pattern::kRuns, lanes);
  }

  void FitStep(std::uint64_t step) {
    if (request_.lanes <= 1 || (step >= kSector && !request_.lane_each)) return;
    const auto blocks = [&](std::uint64_t granule) {
      const double span = (request_.lanes - 1) * static_cast<double>(step) + width_;
      const double longest = (kAllLanes - 1) * static_cast<double>(step) + width_;
      const bool each_alone = step >= granule;
      const Bounds few =
          each_alone ? Bounds{request_.lanes, request_.lanes} : Blocks(span, granule);
      const Bounds spread = each_alone ? few : BlocksOf(longest, request_.width, granule);
      return Bounds{few.low, request_.full ? few.high : std::min(request_.lanes, spread.high)};
    };
    if (Fits(blocks(kSector), blocks(kLine))) fitting_.AddStep({step, step});
  }

  const Averages& request_;
  const double width_;
  CandidateSet& fitting_;
};

}  // namespace

void FitAverages(const Averages& request, CandidateSet& fitting) {
  AveragedRequests(request, fitting).Fit();
}

void FitOddRows(const Averages& request, Lanes row, CandidateSet& fitting) {
  const auto lanes = static_cast<double>(row.count());
  const auto width = static_cast<double>(request.width);
  if (row.count() < 2 || row.count() >= kWarpSize || kWarpSize % row.count() == 0) return;
  // A warp begins anywhere in a row, so its first and last run may be cut off.
  const Bounds runs = {std::ceil(request.lanes / lanes),
                       std::min(request.lanes, std::floor((kAllLanes - 2) / lanes) + 2)};
  const auto blocks = [&](std::uint64_t granule) {
    const double each = BlocksOf(lanes * width, request.width, granule).high;
    return Bounds{std::max(runs.low, request.lanes * width / static_cast<double>(granule)),
                  std::min(request.lanes, runs.high * each)};
  };
  const Bounds sectors = blocks(kSector);
  const Bounds lines = blocks(kLine);
  if (sectors.Contain(request.sectors) && lines.Contain(request.lines)) {
    fitting.Add(Pattern::kRuns, row.count());
  }
  if (runs.Contain(request.sectors) && runs.Contain(request.lines)) {
    fitting.Add(Pattern::kBroadcast, row.count());
  }
}

}  // namespace coalcheck::patterns
