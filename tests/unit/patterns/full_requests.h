// SPDX-License-Identifier: Apache-2.0
//
// What alike requests of full warps have, in closed form: every pattern is laid at every place in a
// line, and fits when its sectors and lines are exactly those observed. The product counts each
// request lane by lane instead (collisions.h).
#pragma once

#include <cmath>

#include "libcoalcheck/patterns/averages.h"
#include "libcoalcheck/patterns/candidate_set.h"
#include "libcoalcheck/patterns/spans.h"

namespace coalcheck::patterns {

struct Footprint {
  std::uint64_t sectors = 0;
  std::uint64_t lines = 0;
  friend bool operator==(const Footprint&, const Footprint&) = default;
};

// By `span` bytes that begin `phase` bytes after the start of a line.
constexpr Footprint FootprintOf(std::uint64_t phase, std::uint64_t span) {
  return {(phase + span - 1) / kSector + 1 - phase / kSector,
          (phase + span - 1) / kLine + 1 - phase / kLine};
}

// `lanes` lanes, the first `phase` bytes after the start of a line, each `step` bytes after the one
// before. Lanes further apart than a sector (line) have one each.
constexpr Footprint FootprintOfSteps(std::uint64_t phase, std::uint64_t step, std::uint64_t width,
                                     std::uint64_t lanes) {
  const Footprint all = FootprintOf(phase, (lanes - 1) * step + width);
  return {step < kSector ? all.sectors : lanes, step < kLine ? all.lines : lanes};
}

class FullRequests {
 public:
  FullRequests(const Averages& request, CandidateSet& fitting)
      : width_(request.width),
        observed_{static_cast<std::uint64_t>(std::llround(request.sectors)),
                  static_cast<std::uint64_t>(std::llround(request.lines))},
        packed_(FootprintOf(0, kWarpSize * width_)),
        fitting_(fitting) {}

  void Fit() {
    FitConsecutive();
    for (std::uint64_t lanes = 2; lanes <= kWarpSize; lanes *= 2) FitShared(lanes);
    for (std::uint64_t lanes = 2; lanes < kWarpSize; lanes *= 2) FitRuns(lanes);
    for (std::uint64_t step = 2 * width_; step < kLine; step += width_) FitStep(step);
    if (observed_ == Footprint{kWarpSize, kWarpSize}) fitting_.AddStep({kLine, std::nullopt});
  }

 private:
  // Whether `footprint_from(phase)` is what was observed for any phase that is a multiple of
  // `unit`.
  template <typename FootprintFrom>
  bool FitsFromSomewhere(std::uint64_t unit, FootprintFrom footprint_from) const {
    for (std::uint64_t phase = 0; phase < kLine; phase += unit) {
      if (footprint_from(phase) == observed_) return true;
    }
    return false;
  }

  void FitConsecutive() {
    for (std::uint64_t phase = 0; phase < kLine; phase += width_) {
      if (FootprintOf(phase, kWarpSize * width_) != observed_) continue;
      if (phase % kSector == 0) {
        fitting_.Add(width_ <= 2 ? Pattern::kNarrow : Pattern::kCoalesced);
      } else if (observed_.sectors > packed_.sectors) {
        fitting_.Add(Pattern::kMisaligned, phase % kSector);
      }
    }
  }

  void FitShared(std::uint64_t lanes) {
    const std::uint64_t groups = kWarpSize / lanes;
    const bool together = FitsFromSomewhere(
        width_, [&](std::uint64_t phase) { return FootprintOf(phase, groups * width_); });
    if (together || observed_ == Footprint{groups, groups}) {
      fitting_.Add(Pattern::kBroadcast, lanes);
    }
  }

  // Runs that cross a line all at once would have to begin at its end in every request.
  void FitRuns(std::uint64_t lanes) {
    const bool costs = observed_.sectors > packed_.sectors || observed_.lines > packed_.lines;
    if (!costs) return;
    const std::uint64_t runs = kWarpSize / lanes;
    const std::uint64_t size = lanes * width_;
    const std::uint64_t lines = FootprintOf(0, size).lines;
    const bool fits = FitsFromSomewhere(lanes == 2 ? size : width_, [&](std::uint64_t phase) {
      const Footprint one = FootprintOf(phase, size);
      return one.lines > lines ? Footprint{} : Footprint{runs * one.sectors, runs * one.lines};
    });
    if (fits) fitting_.Add(Pattern::kRuns, lanes);
  }

  void FitStep(std::uint64_t step) {
    if (FitsFromSomewhere(width_, [&](std::uint64_t phase) {
          return FootprintOfSteps(phase, step, width_, kWarpSize);
        })) {
      fitting_.AddStep({step, step});
    }
  }

  const std::uint64_t width_;
  const Footprint observed_;
  const Footprint packed_;
  CandidateSet& fitting_;
};

}  // namespace coalcheck::patterns
