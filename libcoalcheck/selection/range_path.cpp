// SPDX-License-Identifier: Apache-2.0
//
// Matches a path as a nondeterministic automaton does, one range after the other.
#include "libcoalcheck/selection/range_path.h"

#include <cstddef>

namespace coalcheck::selection {
namespace {

using Kind = RangeStep::Kind;

// reached[n]: the ranges so far can be the first n steps.
using Reached = std::vector<bool>;

void PassOverEmptySteps(const std::vector<RangeStep>& steps, Reached& reached) {
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (reached[at] && steps[at].kind == Kind::kAnyNumber) reached[at + 1] = true;
  }
}

Reached After(std::string_view range, const std::vector<RangeStep>& steps, const Reached& before) {
  Reached after(before.size());
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (!before[at]) continue;
    const RangeStep& step = steps[at];
    if (step.kind == Kind::kAnyNumber) {
      after[at] = true;
    } else if (step.kind == Kind::kExactlyOne || step.name.Matches(range)) {
      after[at + 1] = true;
    }
  }
  return after;
}

}  // namespace

bool RangePath::Matches(std::span<const std::string_view> stack) const {
  Reached reached(steps.size() + 1);
  reached.front() = true;
  PassOverEmptySteps(steps, reached);
  for (const std::string_view range : stack) {
    if (reached.back() && !is_innermost) return true;
    reached = After(range, steps, reached);
    if (!is_outermost) reached.front() = true;
    PassOverEmptySteps(steps, reached);
  }
  return reached.back();
}

}  // namespace coalcheck::selection
