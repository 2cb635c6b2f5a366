// SPDX-License-Identifier: Apache-2.0
//
// Adding up samples.
#include "injection/agent/sampling/sample_table.h"

namespace coalcheck::agent {

bool SampleTable::Add(const SampledPc& sampled) {
  const bool is_new = !functions_.contains({sampled.cubin, sampled.function});
  const std::size_t name_bytes = is_new ? sampled.function.size() : 0;
  const bool fits =
      rows_ + sampled.stalls.size() <= kMostRows && name_bytes_ + name_bytes <= kMostNameBytes;
  if (!fits && !empty()) return false;
  name_bytes_ += name_bytes;
  Rows& rows = functions_[{sampled.cubin, sampled.function}];
  for (const auto& [reason, samples] : sampled.stalls) {
    if (samples == Samples(0)) continue;
    const auto [row, added] = rows.try_emplace({sampled.pc, reason});
    row->second += samples;
    rows_ += added ? 1 : 0;
  }
  return true;
}

std::vector<recording::FunctionSamples> SampleTable::Take(
    const std::function<bool(CubinId)>& known) {
  std::vector<recording::FunctionSamples> taken;
  taken.reserve(functions_.size());
  for (const auto& [key, rows] : functions_) {
    recording::FunctionSamples& function = taken.emplace_back();
    if (known(key.first)) function.cubin = key.first;
    function.function = key.second;
    function.rows.reserve(rows.size());
    for (const auto& [place, samples] : rows) {
      function.rows.push_back({place.first, place.second, samples});
    }
  }
  functions_.clear();
  rows_ = 0;
  name_bytes_ = 0;
  return taken;
}

}  // namespace coalcheck::agent
