// SPDX-License-Identifier: Apache-2.0
//
// How the counts of an instruction differ between ranks that counted the same kernel in the same
// shape.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/recording/merged_records.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::merging {

// -1, 0 or 1 as `a` has fewer sectors for each request than `b`, as many, or more.
std::strong_ordering CompareRates(const recording::RankValue& a, const recording::RankValue& b);

class SpreadBook {
 public:
  // One process, if it has a rank, or all that were merged. Adding is associative and commutative.
  void Add(const recording::RecordedRun& run);

  // By cubin, function and shape.
  std::vector<recording::Spread> Take() &&;

 private:
  struct Key {
    CubinId cubin;
    std::string function;
    recording::Dim3 grid;
    recording::Dim3 block;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using Rows = std::map<PcOffset, recording::SpreadRow>;

  void AddProcess(const recording::RecordedRun& run);
  void AddSpread(const recording::Spread& spread);

  std::map<Key, Rows> spreads_;
};

}  // namespace coalcheck::merging
