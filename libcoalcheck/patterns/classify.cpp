// SPDX-License-Identifier: Apache-2.0
//
// The evaluated addresses first; without any the counts, and the code where it agrees with them.
#include "libcoalcheck/patterns/classify.h"

#include <bit>

#include "libcoalcheck/patterns/averages.h"
#include "libcoalcheck/patterns/code_says.h"
#include "libcoalcheck/patterns/fitting.h"
#include "libcoalcheck/patterns/shape_patterns.h"

namespace coalcheck::patterns {
namespace {

// What no recording of a GPU says, but a damaged one may.
bool CanBeCounts(const Evidence& evidence) {
  const std::uint64_t width = evidence.width.count();
  const Counts& counts = evidence.counts;
  const Averages request(evidence);
  return std::has_single_bit(width) && width <= kSectorSize.count() &&
         counts.requests > Requests(0) && counts.sectors > Sectors(0) &&
         request.lanes <= kWarpSize && counts.ideal <= counts.sectors &&
         counts.sectors.count() <= counts.lanes.count() &&
         counts.lines.count() <= counts.sectors.count();
}

}  // namespace

Classification Classify(const Evidence& evidence) {
  if (!CanBeCounts(evidence)) return {{{}}, Confidence::kLow};
  if (auto evaluated = ClassifyShapes(evidence)) return *std::move(evaluated);
  Classification result;
  const std::vector<Candidate> with_counts = PatternsWithCounts(evidence);
  result.candidates = NarrowByCode(evidence, with_counts);
  const bool code_agrees = !result.candidates.empty();
  if (!code_agrees) result.candidates = with_counts;
  if (result.candidates.empty()) return {{{}}, Confidence::kLow};
  const bool is_one = result.candidates.size() == 1;
  // Requests that differ are what scattered ones do, so they are no reason to doubt it.
  const bool is_likely = Averages(evidence).alike || result.Is(Pattern::kScattered);
  result.confidence = code_agrees || (is_one && Averages(evidence).alike) ? Confidence::kHigh
                      : is_likely                                         ? Confidence::kMedium
                                                                          : Confidence::kLow;
  return result;
}

}  // namespace coalcheck::patterns
