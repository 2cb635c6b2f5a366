// SPDX-License-Identifier: Apache-2.0
//
// Merging of instruction records.
#include "injection/agent/windows/window_record.h"

#include <algorithm>
#include <map>
#include <utility>

namespace coalcheck::agent {
namespace {

using Rows = std::map<PcOffset, std::vector<std::uint64_t>>;

void AddTo(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& values) {
  if (sums.size() < values.size()) sums.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
}

bool IsZero(const std::vector<std::uint64_t>& values) {
  return std::ranges::all_of(values, [](std::uint64_t value) { return value == 0; });
}

}  // namespace

std::vector<recording::FunctionCounts> MergeCounts(const std::vector<InstructionCounts>& counts,
                                                   const CubinOfCrc& cubin_of_crc) {
  std::map<std::pair<std::uint32_t, std::string>, Rows> functions;
  for (const InstructionCounts& count : counts) {
    if (IsZero(count.values)) continue;
    AddTo(functions[{count.cubin_crc, count.function}][count.pc], count.values);
  }
  std::vector<recording::FunctionCounts> merged;
  merged.reserve(functions.size());
  for (auto& [key, rows] : functions) {
    recording::FunctionCounts& function = merged.emplace_back();
    function.cubin = cubin_of_crc(key.first);
    function.function = key.second;
    for (auto& [pc, values] : rows) function.rows.push_back({pc, std::move(values)});
  }
  return merged;
}

}  // namespace coalcheck::agent
