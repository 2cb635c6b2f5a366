// SPDX-License-Identifier: Apache-2.0
//
// What changed between two runs, place by place.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "libcoalcheck/comparison/measured.h"

namespace coalcheck::comparison {

using findings::kDefaultTolerance;
using findings::Trend;
using findings::TrendOf;

enum class Change {
  kWorsened,   // it wastes more; a finding now
  kAppeared,   // a finding of a place that BASE does not have or could not predict
  kImproved,   // it was a finding and wastes less
  kVanished,   // it was a finding, its kernel was checked again, and the place is not there
  kNotSeen,    // it was a finding, and NEW did not check its kernel or cannot predict the place
  kUnchanged,  // a finding as before
};
// "worsened", "appeared", "improved", "vanished", "not seen", "unchanged".
std::string_view ToString(Change change);

// Of a place that is a finding in BASE or in NEW.
struct Difference {
  Change change = Change::kUnchanged;
  std::optional<Measured> before;
  std::optional<Measured> after;
  bool text_changed = false;  // the same place by its kernel and order, not by its text
  bool worse_alone = false;   // no worse in NEW's sum, and worse in the worst of its recordings
};

struct Comparison {
  MeasuredRun before;
  MeasuredRun after;
  std::vector<Difference> differences;  // in the order of the enumeration, then most wasted first
  std::size_t lines_unknown = 0;        // places in scope of which a side's text could not be read

  std::size_t Number(Change change) const;
  // Whether some kernel was checked in both runs: else nothing was compared.
  bool HasCommonKernels() const;
  bool HasRegressions() const { return Number(Change::kWorsened) + Number(Change::kAppeared) > 0; }
};

Comparison Compare(MeasuredRun before, MeasuredRun after, double tolerance);

}  // namespace coalcheck::comparison
