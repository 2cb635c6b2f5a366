// SPDX-License-Identifier: Apache-2.0
//
// The code names the pattern and its parameter; the counts have to allow for both.
#include "libcoalcheck/patterns/code_says.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "libcoalcheck/patterns/averages.h"
#include "libcoalcheck/patterns/siblings.h"

namespace coalcheck::patterns {
namespace {

const Candidate* Find(const std::vector<Candidate>& all, Pattern pattern) {
  const auto found = std::ranges::find(all, pattern, &Candidate::pattern);
  return found == all.end() ? nullptr : &*found;
}

// `pattern` alone with `parameter`, when the counts allow it.
std::vector<Candidate> Only(const std::vector<Candidate>& with_counts, Pattern pattern,
                            std::uint64_t parameter) {
  const Candidate* found = Find(with_counts, pattern);
  if (found == nullptr || !found->parameter.Contains(parameter)) return {};
  return {{pattern, {parameter, parameter}}};
}

std::vector<Candidate> Kept(const std::vector<Candidate>& with_counts, auto keep) {
  std::vector<Candidate> kept;
  std::ranges::copy_if(with_counts, std::back_inserter(kept),
                       [&](const Candidate& one) { return keep(one.pattern); });
  return kept;
}

// Consecutive elements; `with_counts` knows whether all lanes take part and what it costs.
std::vector<Candidate> Consecutive(const Evidence& evidence,
                                   const std::vector<Candidate>& with_counts) {
  std::vector<Candidate> kept = Kept(with_counts, [](Pattern pattern) {
    return pattern == Pattern::kCoalesced || pattern == Pattern::kNarrow ||
           pattern == Pattern::kPartialWarps || pattern == Pattern::kMisaligned;
  });
  const std::optional<Bytes>& offset = evidence.address.offset;
  for (Candidate& one : kept) {
    if (one.pattern != Pattern::kMisaligned || !offset) continue;
    const std::uint64_t off_sector = offset->count() % kSectorSize.count();
    if (one.parameter.Contains(off_sector)) one.parameter = {off_sector, off_sector};
  }
  // A pointer may be off a sector itself, but where something else explains the counts it is not.
  const bool on_sector = offset && offset->count() % kSectorSize.count() == 0;
  const auto leave_out = [&](Pattern pattern) {
    std::erase_if(kept, [&](const Candidate& one) { return one.pattern == pattern; });
  };
  if (on_sector && kept.size() > 1) leave_out(Pattern::kMisaligned);
  const bool is_either = Find(kept, Pattern::kMisaligned) && Find(kept, Pattern::kPartialWarps);
  if (is_either) {
    leave_out(Averages(evidence).LackingLanesExplainIt() ? Pattern::kMisaligned
                                                         : Pattern::kPartialWarps);
  }
  return kept;
}

// A constant step that is larger than the element.
std::vector<Candidate> Stepped(const Evidence& evidence, std::uint64_t step,
                               const std::vector<Candidate>& with_counts) {
  if (Only(with_counts, Pattern::kStrided, step).empty()) {
    return Only(with_counts, Pattern::kAtomicsApart, 0);
  }
  if (!evidence.address.siblings) {
    const ParameterRange exact{step, step};
    return {{Pattern::kStrided, exact},
            {Pattern::kStructField, exact},
            {Pattern::kPaddedStruct, exact}};
  }
  return {{StepPattern(Bytes(step), evidence.width, *evidence.address.siblings), {step, step}}};
}

// A step of which the code does not tell the size. Where launches, or rounds, have different ones,
// no single step has these counts.
std::vector<Candidate> StepOfAnySize(const Evidence& evidence,
                                     const std::vector<Candidate>& with_counts) {
  const bool is_of_run = evidence.address.step_of_run;
  const bool is_one_row = evidence.address.row_lanes == Lanes(kWarpSize);
  auto kept = Kept(with_counts, [&](Pattern pattern) {
    const bool structure = pattern == Pattern::kStructField || pattern == Pattern::kPaddedStruct;
    return pattern != Pattern::kScattered && !(structure && is_of_run) &&
           !(pattern == Pattern::kRuns && is_one_row);
  });
  const bool is_wasteful = evidence.counts.Wasted() > Sectors(0);
  if (kept.empty() && is_of_run && is_wasteful) {
    kept = {{Pattern::kStrided, {evidence.width.count(), std::nullopt}}};
  }
  return kept;
}

std::vector<Candidate> Affine(const Evidence& evidence, const std::vector<Candidate>& with_counts) {
  const AddressFact& address = evidence.address;
  if (!address.lane_step) return StepOfAnySize(evidence, with_counts);
  const std::int64_t step = address.lane_step->value();
  const std::uint64_t distance =
      step < 0 ? 0 - static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step);
  const std::uint64_t width = evidence.width.count();
  const bool narrow_rows = address.row_lanes < Lanes(kWarpSize);
  if (distance == 0) return Only(with_counts, Pattern::kBroadcast, address.row_lanes.count());
  if (distance == width && narrow_rows) {
    const auto runs = Only(with_counts, Pattern::kRuns, address.row_lanes.count());
    return runs.empty() ? Consecutive(evidence, with_counts) : runs;
  }
  if (distance == width) return Consecutive(evidence, with_counts);
  return distance > width && !narrow_rows ? Stepped(evidence, distance, with_counts)
                                          : std::vector<Candidate>();
}

}  // namespace

std::vector<Candidate> NarrowByCode(const Evidence& evidence,
                                    const std::vector<Candidate>& with_counts) {
  switch (evidence.address.form) {
    case AddressFact::Form::kAffine:
      return Affine(evidence, with_counts);
    case AddressFact::Form::kLoaded: {
      // An index can be anything: one that happens to be in order is no waste.
      const bool is_wasteful = evidence.counts.Wasted() > Sectors(0);
      if (!is_wasteful || Find(with_counts, Pattern::kAtomicsApart) != nullptr) return with_counts;
      return {{Pattern::kScattered, {0, 0}}};
    }
    case AddressFact::Form::kNotKnown:
      break;
  }
  return {};
}

}  // namespace coalcheck::patterns
