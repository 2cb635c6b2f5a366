// SPDX-License-Identifier: Apache-2.0
//
// 100 000 accesses drawn at random, counted by the sector model: the pattern that was drawn is
// always among those named, and with the code's word nearly always alone.
#include "tests/unit/patterns/random_shapes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "libcoalcheck/patterns/classify.h"

namespace coalcheck::patterns {
namespace {

constexpr int kShapes = 100'000;

// The same every time, unless COALCHECK_SEED says another.
std::uint64_t Seed() {
  const char* const given = std::getenv("COALCHECK_SEED");
  return given == nullptr ? 20'261'121 : std::strtoull(given, nullptr, 10);
}

bool Names(const Classification& result, const DrawnShape& shape) {
  const Candidate* found = result.Find(shape.pattern);
  return found != nullptr && (!shape.has_parameter || found->parameter.Contains(shape.parameter));
}

bool NamesExactly(const Classification& result, const DrawnShape& shape) {
  return result.Is(shape.pattern) && Names(result, shape) &&
         (!shape.has_parameter || result.candidates[0].parameter.IsExact());
}

// The same when a step need not be told from a field of a structure.
bool NamesStepExactly(const Classification& result, const DrawnShape& shape) {
  const Candidate* step = result.Find(Pattern::kStrided);
  const bool only_step = result.candidates.size() == 3 && step != nullptr &&
                         result.Find(Pattern::kPaddedStruct) != nullptr;
  return NamesExactly(result, shape) ||
         (only_step && Names(result, shape) && step->parameter.IsExact());
}

struct Tally {
  int shapes = 0;
  int by_counts = 0;  // named exactly
  int by_step = 0;    // or its step is
  int by_code = 0;
};

std::string Percent(int part, int whole) {
  return std::to_string(100.0 * part / std::max(whole, 1)) + " %";
}

TEST(RandomShapes, AreNamedAsDrawnOrInAClassThatHoldsWhatWasDrawn) {
  std::cout << "COALCHECK_SEED=" << Seed() << '\n';
  ShapeDraw draw(Seed());
  std::map<Pattern, Tally> tallies;
  Tally affine;
  for (int i = 0; i < kShapes; ++i) {
    const DrawnShape shape = draw.Next();
    Evidence evidence = EvidenceOf(shape.requests, shape.times);
    const Classification by_counts = Classify(evidence);
    evidence.address = shape.code;
    const Classification by_code = Classify(evidence);
    ASSERT_TRUE(Names(by_counts, shape) && Names(by_code, shape))
        << "shape " << i << ": " << ShortForm({{shape.pattern, {shape.parameter, shape.parameter}}})
        << " of " << evidence.width.count() << " bytes is called "
        << ShortForm(by_counts.candidates) << ", with the code " << ShortForm(by_code.candidates)
        << "; sectors " << Per(evidence.counts.sectors, evidence.counts.requests) << ", lines "
        << Per(evidence.counts.lines, evidence.counts.requests) << ", lanes "
        << Per(evidence.counts.lanes, evidence.counts.requests);
    for (Tally* tally : {&tallies[shape.pattern], shape.is_affine ? &affine : nullptr}) {
      if (tally == nullptr) continue;
      ++tally->shapes;
      tally->by_counts += NamesExactly(by_counts, shape) ? 1 : 0;
      tally->by_step += NamesStepExactly(by_counts, shape) ? 1 : 0;
      tally->by_code += NamesExactly(by_code, shape) ? 1 : 0;
    }
  }
  for (const auto& [pattern, tally] : tallies) {
    std::cout << ToString(pattern) << ": " << tally.shapes << " shapes, exactly named by counts "
              << Percent(tally.by_counts, tally.shapes) << ", with the code "
              << Percent(tally.by_code, tally.shapes) << '\n';
  }
  std::cout << "affine: " << affine.shapes << " shapes, exactly named by counts "
            << Percent(affine.by_counts, affine.shapes) << " (or their step "
            << Percent(affine.by_step, affine.shapes) << "), with the code "
            << Percent(affine.by_code, affine.shapes) << '\n';
  EXPECT_GE(affine.by_code, 0.95 * affine.shapes);
}

}  // namespace
}  // namespace coalcheck::patterns
