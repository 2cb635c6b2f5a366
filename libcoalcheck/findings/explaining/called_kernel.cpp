// SPDX-License-Identifier: Apache-2.0
//
// Tells instructions of the function from others by their text's place.
#include "libcoalcheck/findings/explaining/called_kernel.h"

#include <algorithm>
#include <map>
#include <utility>

#include "libcoalcheck/address/straight_line.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::findings {
namespace {

// Copies of them are kept where unknown data decide a branch, and branches nest.
constexpr std::size_t kMostSlots = 4096;
// Each is a search for what it depends on, and an evaluation.
constexpr std::size_t kMostGroupsOfBlocks = 16;

}  // namespace

CalledKernel::CalledKernel(ptx::Function inlined, const address::AccessFormulas& own)
    : function_(std::move(inlined)), flow_(function_) {
  program_.emplace(function_, flow_);
  if (program_->slots() > kMostSlots) program_.reset();
  for (const ptx::Instruction& one : function_.instructions) {
    own_.push_back(own.InstructionWith(one.text));
  }
}

address::LaunchEvaluation CalledKernel::Own(address::LaunchEvaluation evaluation) const {
  std::erase_if(evaluation.accesses, [&](address::EvaluatedAccess& access) {
    access.instruction = own_[access.instruction];
    return access.instruction == ptx::kNone;
  });
  std::ranges::sort(evaluation.accesses, {}, &address::EvaluatedAccess::instruction);
  return evaluation;
}

std::set<std::uint32_t> CalledKernel::Here(const std::set<std::uint32_t>& accesses) const {
  std::set<std::uint32_t> here;
  for (std::uint32_t i = 0; i < own_.size(); ++i) {
    if (accesses.contains(own_[i])) here.insert(i);
  }
  return here;
}

std::vector<std::set<std::uint32_t>> CalledKernel::ByBlock(
    const std::set<std::uint32_t>& accesses) const {
  std::map<std::uint32_t, std::set<std::uint32_t>> by_block;
  for (const std::uint32_t i : Here(accesses)) {
    const bool is_last = by_block.size() == kMostGroupsOfBlocks;
    by_block[is_last ? by_block.rbegin()->first : flow_.BlockOf(i)].insert(own_[i]);
  }
  std::vector<std::set<std::uint32_t>> groups;
  for (auto& [block, group] : by_block) groups.push_back(std::move(group));
  return groups;
}

address::LaunchEvaluation CalledKernel::EvaluateStraight(
    const std::set<std::uint32_t>& accesses, const address::LaunchValues& values,
    const address::EvaluationLimits& limits) const {
  const std::set<std::uint32_t> here = Here(accesses);
  const address::StraightLine line =
      address::StraightLineOf(function_, {here.begin(), here.end()}, &flow_);
  if (line.function.instructions.empty()) return {};
  const ptx::ControlFlow flow(line.function);
  const address::Program program(line.function, flow);
  address::LaunchEvaluation evaluation = address::Evaluate(program, values, limits);
  for (address::EvaluatedAccess& one : evaluation.accesses) {
    one.instruction = line.from[one.instruction];
  }
  return Own(std::move(evaluation));
}

address::LaunchEvaluation CalledKernel::EvaluateOnly(
    const std::set<std::uint32_t>& accesses, const address::LaunchValues& values,
    const address::EvaluationLimits& limits) const {
  const std::set<std::uint32_t> here = Here(accesses);
  const address::Program program(function_, flow_, &here, ptx::LeavesOut::kFloats);
  if (program.slots() > kMostSlots) return {};
  return Own(address::Evaluate(program, values, limits));
}

}  // namespace coalcheck::findings
