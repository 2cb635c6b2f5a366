// SPDX-License-Identifier: Apache-2.0
//
// What launches that were not counted were called with, over many recordings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::merging {

// Of the sets of a kernel the first are kept, in an order that does not depend on which recording
// came first: so the result is the same in whatever groups they are merged.
class UncountedBook {
 public:
  void Add(const recording::Uncounted& uncounted);
  // By kernel.
  std::vector<recording::Uncounted> Take() &&;

 private:
  struct Before {
    bool operator()(const recording::UncountedSet& a, const recording::UncountedSet& b) const;
  };
  struct Kernel {
    std::map<recording::UncountedSet, Launches, Before> sets;  // at most kMostUncountedSets
    Launches others;
  };
  std::map<std::string, Kernel> kernels_;
};

}  // namespace coalcheck::merging
