// SPDX-License-Identifier: Apache-2.0
//
// Sums of equal sets; the last in order go where there are too many.
#include "libcoalcheck/merging/uncounted_book.h"

#include <iterator>
#include <utility>

namespace coalcheck::merging {

bool UncountedBook::Before::operator()(const recording::UncountedSet& a,
                                       const recording::UncountedSet& b) const {
  if (a.grid != b.grid) return a.grid < b.grid;
  if (a.block != b.block) return a.block < b.block;
  return a.arguments.What() < b.arguments.What();
}

void UncountedBook::Add(const recording::Uncounted& uncounted) {
  Kernel& kernel = kernels_[uncounted.kernel];
  kernel.others += uncounted.others;
  for (const recording::UncountedSet& set : uncounted.sets) {
    kernel.sets[set] += set.arguments.launches;
    if (kernel.sets.size() <= recording::kMostUncountedSets) continue;
    const auto last = std::prev(kernel.sets.end());
    kernel.others += last->second;
    kernel.sets.erase(last);
  }
}

std::vector<recording::Uncounted> UncountedBook::Take() && {
  std::vector<recording::Uncounted> all;
  for (auto& [name, kernel] : kernels_) {
    recording::Uncounted& one = all.emplace_back();
    one.kernel = name;
    one.others = kernel.others;
    for (const auto& [set, launches] : kernel.sets) {
      one.sets.push_back(set);
      one.sets.back().arguments.launches = launches;
    }
  }
  return all;
}

}  // namespace coalcheck::merging
