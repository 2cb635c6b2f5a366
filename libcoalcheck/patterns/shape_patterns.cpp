// SPDX-License-Identifier: Apache-2.0
//
// One candidate for each shape; the shapes that waste most decide.
#include "libcoalcheck/patterns/shape_patterns.h"

#include <algorithm>
#include <vector>

#include "libcoalcheck/patterns/averages.h"
#include "libcoalcheck/patterns/siblings.h"

namespace coalcheck::patterns {
namespace {

using address::LaneShape;

ParameterRange Exactly(std::uint64_t value) { return {value, value}; }

// The pattern of a step larger than the element.
Pattern SteppedPattern(const Evidence& evidence, std::uint64_t step) {
  const AddressFact& address = evidence.address;
  if (address.step_of_run || !address.siblings) return Pattern::kStrided;
  return StepPattern(Bytes(step), evidence.width, *address.siblings);
}

Candidate Consecutive(const Evidence& evidence, const LaneShape& shape) {
  const std::uint64_t width = evidence.width.count();
  if (shape.has_gaps) return {Pattern::kPartialWarps, {0, 0}};
  if (shape.begins_by_data && evidence.counts.Wasted() > Sectors(0)) {
    // Where each begins is not known, and that some begin inside a sector the counts say.
    const std::uint64_t last = kSectorSize.count() - std::min(width, kSectorSize.count());
    return {Pattern::kMisaligned, {std::min(width, last), last}};
  }
  if (shape.phase != 0 && !shape.begins_by_data)
    return {Pattern::kMisaligned, Exactly(shape.phase)};
  return {width <= 2 ? Pattern::kNarrow : Pattern::kCoalesced, {0, 0}};
}

// Whether as many bytes are asked for as the sectors hold, as by a permutation of consecutive
// lanes.
bool FillsSectors(const address::ShapeShare& share, std::uint64_t width) {
  const double filled = share.sums.lanes * static_cast<double>(width);
  return !share.shape.begins_by_data &&
         share.sums.sectors * static_cast<double>(kSectorSize.count()) <= filled;
}

bool IsAtomic(const Evidence& evidence) {
  return evidence.kind == cubin::AccessKind::kAtomic ||
         evidence.kind == cubin::AccessKind::kReduction;
}

Candidate CandidateOf(const Evidence& evidence, const address::ShapeShare& share) {
  const LaneShape& shape = share.shape;
  const std::uint64_t width = evidence.width.count();
  const auto signed_step = static_cast<std::uint64_t>(shape.step);
  const std::uint64_t step = shape.step < 0 ? 0 - signed_step : signed_step;
  const Pattern scattered = IsAtomic(evidence) ? Pattern::kAtomicsApart : Pattern::kScattered;
  switch (shape.kind) {
    case LaneShape::Kind::kSame:
      // One lane of a warp at work, or all of them at one address.
      if (share.sums.lanes <= share.sums.requests) return {Pattern::kPartialWarps, {0, 0}};
      return {Pattern::kBroadcast, Exactly(kWarpSize)};
    case LaneShape::Kind::kStep:
      if (step <= width) return Consecutive(evidence, shape);
      return {SteppedPattern(evidence, step), Exactly(step)};
    case LaneShape::Kind::kRows:
      if (step == 0) return {Pattern::kBroadcast, Exactly(shape.row)};
      if (step <= width) return {Pattern::kRuns, Exactly(shape.row)};
      if (FillsSectors(share, width)) return Consecutive(evidence, shape);
      return {SteppedPattern(evidence, step), Exactly(step)};
    case LaneShape::Kind::kStepByLaunch:
      return {Pattern::kStrided, {width, std::nullopt}};
    case LaneShape::Kind::kByData:
      return {scattered, {0, 0}};
    case LaneShape::Kind::kIrregular:
      // A permutation that fills its sectors.
      if (share.sums.sectors <= share.sums.ideal) return Consecutive(evidence, shape);
      break;
  }
  return {Pattern::kUnknown, {0, 0}};
}

struct Weighed {
  Candidate candidate;
  double requests = 0;
  double wasted = 0;
  bool may_waste = false;  // some of its requests do, or data decide it
};

std::vector<Weighed> Weigh(const Evidence& evidence) {
  std::vector<Weighed> all;
  for (const address::ShapeShare& share : evidence.address.shapes) {
    const Candidate candidate = CandidateOf(evidence, share);
    auto known = std::ranges::find_if(
        all, [&](const Weighed& one) { return one.candidate.pattern == candidate.pattern; });
    if (known == all.end()) known = all.insert(all.end(), Weighed{candidate});
    known->candidate.parameter.Include(candidate.parameter);
    known->requests += share.sums.requests;
    const bool counts = !share.shape.begins_by_data;
    const double wasted = counts ? share.sums.sectors - share.sums.ideal : 0;
    known->wasted += wasted;
    known->may_waste = known->may_waste || !counts || wasted > 0;
  }
  return all;
}

// Of consecutive lanes that begin where data say, of which some do not take part: what explains
// more of the counted waste.
void WeighBeginnings(const Evidence& evidence, std::vector<Weighed>& all) {
  const auto find = [&](Pattern pattern) {
    return std::ranges::find_if(
        all, [&](const Weighed& one) { return one.candidate.pattern == pattern; });
  };
  const auto partial = find(Pattern::kPartialWarps);
  const auto misaligned = find(Pattern::kMisaligned);
  if (partial == all.end() || misaligned == all.end()) return;
  all.erase(Averages(evidence).LackingLanesExplainIt() ? misaligned : partial);
}

// Loaded values can be anything: those that happen to be in order are no waste, and the counts say
// what they look like.
bool IsInOrder(const Evidence& evidence) {
  const bool by_data =
      std::ranges::any_of(evidence.address.shapes, [](const address::ShapeShare& share) {
        return share.shape.kind == LaneShape::Kind::kByData;
      });
  return by_data && evidence.counts.Wasted() == Sectors(0);
}

}  // namespace

std::optional<Classification> ClassifyShapes(const Evidence& evidence) {
  if (evidence.address.shapes.empty() || IsInOrder(evidence)) return std::nullopt;
  std::vector<Weighed> all = Weigh(evidence);
  // Waste decides where it is known of all shapes and there is some, else the requests do.
  const bool by_data = std::ranges::any_of(
      evidence.address.shapes, [](const auto& share) { return share.shape.begins_by_data; });
  const bool wastes = evidence.counts.Wasted() > Sectors(0) && !by_data;
  if (by_data) WeighBeginnings(evidence, all);
  // What wastes nothing itself does not explain what was counted.
  if (evidence.counts.Wasted() > Sectors(0)) {
    std::erase_if(all, [](const Weighed& one) { return !one.may_waste; });
  }
  const auto weight = [&](const Weighed& one) { return wastes ? one.wasted : one.requests; };
  double total = 0;
  for (const Weighed& one : all) total += weight(one);
  if (total <= 0) return std::nullopt;
  std::erase_if(all, [&](const Weighed& one) { return weight(one) < kNamedShare * total; });
  std::ranges::stable_sort(all, [](const Weighed& a, const Weighed& b) {
    return a.candidate.pattern < b.candidate.pattern;
  });
  Classification result;
  for (const Weighed& one : all) result.candidates.push_back(one.candidate);
  result.confidence = Confidence::kHigh;
  return result;
}

}  // namespace coalcheck::patterns
