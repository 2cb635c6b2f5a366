// SPDX-License-Identifier: Apache-2.0
//
// Compares averages, so that a launch of twice the size is the same variant.
#include "libcoalcheck/findings/sums/variants.h"

#include <algorithm>

namespace coalcheck::findings {

bool AreAlike(const Counts& a, const Counts& b) {
  return Per(a.lanes, a.requests) == Per(b.lanes, b.requests) &&
         Per(a.sectors, a.requests) == Per(b.sectors, b.requests) &&
         Per(a.ideal, a.requests) == Per(b.ideal, b.requests) &&
         Per(a.lines, a.requests) == Per(b.lines, b.requests);
}

std::optional<recording::Dim3> BlockOf(const recording::Window& window) {
  if (window.inside.empty()) return std::nullopt;
  const recording::Dim3& first = window.inside.front().shape.block;
  const bool all_equal = std::ranges::all_of(
      window.inside, [&](const auto& launched) { return launched.shape.block == first; });
  return all_equal ? std::optional(first) : std::nullopt;
}

void AddVariant(const Variant& variant, std::vector<Variant>& variants) {
  const Counts counts = variant.counts.OfUnknownKind();
  const auto same_block = [&](const Variant& other) { return other.block == variant.block; };
  auto found = std::ranges::find_if(variants, [&](const Variant& other) {
    return same_block(other) && AreAlike(other.counts.OfUnknownKind(), counts);
  });
  if (found == variants.end() && variants.size() >= kMostVariants) {
    const auto last = std::find_if(variants.rbegin(), variants.rend(), same_block);
    found = last == variants.rend() ? variants.end() - 1 : last.base() - 1;
    if (last == variants.rend()) found->block.reset();
  }
  if (found == variants.end()) {
    variants.push_back(variant);
  } else {
    found->counts += variant.counts;
  }
}

}  // namespace coalcheck::findings
