// SPDX-License-Identifier: Apache-2.0
//
// The classifier names exactly the patterns that brute force finds for the same counts, no more and
// no fewer.
#include "libcoalcheck/patterns/collisions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "libcoalcheck/patterns/averages.h"
#include "libcoalcheck/patterns/classify.h"
#include "libcoalcheck/patterns/fitting.h"
#include "tests/unit/patterns/evidence_of.h"
#include "tests/unit/patterns/full_requests.h"

namespace coalcheck::patterns {
namespace {

constexpr std::uint64_t kWidths[] = {1, 2, 4, 8, 16};

Evidence FullEvidence(std::uint64_t width, std::uint64_t sectors, std::uint64_t lines) {
  return EvidenceOf(width, kWarpSize, sectors, std::min(width, sectors), lines);
}

TEST(Collisions, TheClassifierNamesWhatHasTheCountsAndNothingElse) {
  for (const std::uint64_t width : kWidths) {
    for (const auto& [counts, candidates] : TabulateCounts(Bytes(width))) {
      const Evidence evidence = FullEvidence(width, counts.sectors.count(), counts.lines.count());
      EXPECT_EQ(ShortForm(Classify(evidence).candidates), ShortForm(candidates))
          << width << " bytes, " << counts.sectors.count() << " sectors in " << counts.lines.count()
          << " lines";
    }
  }
}

TEST(Collisions, AFormulaFitsTheCountsThatBruteForceFindsAndNoOthers) {
  for (std::uint64_t width = 1; width <= kSectorSize.count(); width *= 2) {
    for (std::uint64_t sectors = 1; sectors <= kWarpSize; ++sectors) {
      for (std::uint64_t lines = 1; lines <= sectors; ++lines) {
        const Averages request(FullEvidence(width, sectors, lines));
        CandidateSet by_formula;
        FullRequests(request, by_formula).Fit();
        CandidateSet counted;
        FitFullRequests(request, counted);
        EXPECT_EQ(ShortForm(by_formula.InOrder()), ShortForm(counted.InOrder()))
            << width << " bytes, " << sectors << " sectors in " << lines << " lines";
      }
    }
  }
}

TEST(Collisions, ClassesHoldEveryPairOfCountsOnce) {
  std::uint64_t in_classes = 0;
  for (const CollisionClass& of : CollisionClasses()) {
    for (const CollisionClass::OfWidth& width : of.widths) in_classes += width.pairs;
  }
  std::uint64_t in_tables = 0;
  for (const std::uint64_t width : kWidths) in_tables += TabulateCounts(Bytes(width)).size();
  EXPECT_EQ(in_classes, in_tables);
}

TEST(Collisions, StepsBelowASectorAreExactForAllButBytes) {
  for (const StepsOfWidth& of : StepsFromCounts()) {
    EXPECT_EQ(of.below_sector, (kSectorSize.count() - 1) / of.width.count() - 1);
    if (of.width >= Bytes(2)) {
      EXPECT_EQ(of.exact, of.below_sector) << of.width.count();
    }
  }
}

}  // namespace
}  // namespace coalcheck::patterns
