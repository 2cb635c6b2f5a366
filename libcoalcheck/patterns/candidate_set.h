// SPDX-License-Identifier: Apache-2.0
//
// Collects the patterns that fit, each once, with the range of all its parameters that do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

class CandidateSet {
 public:
  void Add(Pattern pattern, ParameterRange range = {0, 0}) {
    std::optional<ParameterRange>& known = ranges_[static_cast<std::size_t>(pattern)];
    if (known) {
      known->Include(range);
    } else {
      known = range;
    }
  }
  void Add(Pattern pattern, std::uint64_t parameter) { Add(pattern, {parameter, parameter}); }

  // Counts do not tell a step from a field of a structure of that size.
  void AddStep(ParameterRange step) {
    for (const Pattern one : {Pattern::kStrided, Pattern::kStructField, Pattern::kPaddedStruct}) {
      Add(one, step);
    }
  }

  bool empty() const { return InOrder().empty(); }

  std::vector<Candidate> InOrder() const {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (ranges_[i]) candidates.push_back({static_cast<Pattern>(i), *ranges_[i]});
    }
    return candidates;
  }

 private:
  std::array<std::optional<ParameterRange>, kPatterns> ranges_;
};

}  // namespace coalcheck::patterns
