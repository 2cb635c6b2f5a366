// SPDX-License-Identifier: Apache-2.0
//
// Samples that have not been written yet, added up by instruction and stall reason, in bounded
// memory.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "injection/agent/sampling/sampler.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

class SampleTable {
 public:
  static constexpr std::size_t kMostRows = std::size_t{1} << 15U;
  static constexpr std::size_t kMostNameBytes = std::size_t{1} << 20U;

  // False: the table is full, nothing was added; take what is there and try again. An empty table
  // takes anything.
  bool Add(const SampledPc& sampled);
  bool empty() const { return functions_.empty(); }
  std::size_t rows() const { return rows_; }

  // What was added, functions in the order of cubin and name; the table is empty then. Cubins that
  // are not `known` stay unnamed.
  std::vector<recording::FunctionSamples> Take(const std::function<bool(CubinId)>& known);

 private:
  using Rows = std::map<std::pair<PcOffset, StallReason>, Samples>;

  std::map<std::pair<CubinId, std::string>, Rows> functions_;
  std::size_t rows_ = 0;
  std::size_t name_bytes_ = 0;
};

}  // namespace coalcheck::agent
