// SPDX-License-Identifier: Apache-2.0
//
// Chooses the launches that a kernel is judged by.
#include "libcoalcheck/prediction/kernel_prediction.h"

#include <absl/strings/str_join.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "libcoalcheck/address/pointer_parameters.h"
#include "libcoalcheck/prediction/example_shapes.h"
#include "libcoalcheck/prediction/kernel_evaluation.h"
#include "libcoalcheck/prediction/kernel_names.h"
#include "libcoalcheck/prediction/launch_limits.h"

namespace coalcheck::prediction {
namespace {

using address::Extent;

constexpr std::size_t kMostProblemsOfLaunch = 8;

}  // namespace

KernelPrediction::KernelPrediction(const cubin::Function& kernel,
                                   const address::AccessFormulas& formulas,
                                   address::PtxModules& modules, const LaunchesToPredict& known)
    : kernel_(kernel.name),
      parameters_(formulas.function().parameters),
      parameter_names_(known.parameter_names),
      pointers_(address::PointerOffsets(formulas.formulas())) {
  Evaluation evaluation(*this, formulas, modules, known);
  is_too_large_ = evaluation.is_too_large();
  if (is_too_large_) return;
  bool is_known = false;
  if (known.launches != nullptr) {
    for (const KnownLaunch& launch : known.launches->launches) {
      is_known = RunKnown(launch, evaluation) || is_known;
    }
  }
  if (!is_known) RunExamples(evaluation);
  evaluation.JudgeByFormula();
  evaluation.AllowForWhatWasNotRun();
  block_ = evaluation.Block();
}

std::optional<Extent> CommonBlock(const std::vector<Extent>& blocks) {
  if (blocks.empty()) return std::nullopt;
  const auto is_first = [&](const Extent& one) { return one == blocks.front(); };
  if (std::ranges::all_of(blocks, is_first)) return blocks.front();
  const auto is_along_warps = [](const Extent& one) { return one.x % kWarpSize == 0; };
  if (!std::ranges::all_of(blocks, is_along_warps)) return std::nullopt;
  return Extent{kWarpSize, 1, 1};
}

const PredictedSums* KernelPrediction::Find(const ptx::Instruction& instruction) const {
  const auto found = sums_.find(instruction.text.data());
  return found == sums_.end() ? nullptr : &found->second;
}

bool KernelPrediction::Holds(const ptx::Instruction& instruction) const {
  return held_.contains(instruction.text.data());
}

void KernelPrediction::AddProblem(const KnownLaunch& launch, const std::string& why) {
  std::string problem =
      fmt::format("{} does not fit {}: {}", launch.origin, SignatureOf(kernel_), why);
  if (std::ranges::find(problems_, problem) == problems_.end()) {
    problems_.push_back(std::move(problem));
  }
}

void KernelPrediction::RunExamples(Evaluation& evaluation) {
  for (const Extent& block : evaluation.Examples()) {
    LaunchToRun example{{kExampleGrid, block, {}, {}, {}, pointers_}, true, 1};
    example.values.block_is_open = !RequiredBlock(evaluation.function());
    example.values.grid_is_open = true;
    evaluation.Run(example);
  }
}

bool KernelPrediction::RunKnown(const KnownLaunch& known, Evaluation& evaluation) {
  const std::string why = WhyNoLaunch(evaluation.function(), known.grid, known.block);
  if (!why.empty()) AddProblem(known, why);
  if (!why.empty()) return false;
  const KnownArguments& arguments =
      evaluation.Keep(ArgumentsOf(known, evaluation.function(), parameter_names_));
  const std::size_t told = std::min(arguments.problems.size(), kMostProblemsOfLaunch);
  for (std::size_t i = 0; i < told; ++i) AddProblem(known, arguments.problems[i]);
  if (told < arguments.problems.size()) {
    AddProblem(known, fmt::format("{} more values are wrong", arguments.problems.size() - told));
  }
  if (!known.grid && !known.block && arguments.bytes.empty()) return false;
  LaunchToRun launch;
  launch.values.pointers = pointers_;
  launch.values.dynamic_shared_bytes = known.dynamic_shared_bytes;
  if (!arguments.bytes.empty()) launch.values.arguments = arguments.bytes;
  launch.values.known = arguments.known;
  launch.values.grid = known.grid.value_or(kExampleGrid);
  launch.times = static_cast<double>(known.launches);
  launch.is_example = !known.grid || !known.block;
  launch.values.block_is_open = !known.block && !RequiredBlock(evaluation.function());
  launch.values.grid_is_open = !known.grid;
  Note(known, arguments);
  is_by_comment_ = is_by_comment_ || known.is_of_comment;
  const std::vector<Extent> blocks =
      known.block ? std::vector{*known.block} : evaluation.Examples();
  for (const Extent& block : blocks) {
    launch.values.block = block;
    evaluation.Run(launch);
  }
  return true;
}

// "block 32x8x1, grid 128x512x1, height = 4096".
void KernelPrediction::Note(const KnownLaunch& launch, const KnownArguments& arguments) {
  std::vector<std::string> parts;
  const auto add = [&](const char* what, const std::optional<Extent>& extent) {
    if (extent) parts.push_back(fmt::format("{} {}x{}x{}", what, extent->x, extent->y, extent->z));
  };
  add("block", launch.block);
  add("grid", launch.grid);
  parts.insert(parts.end(), arguments.by_hand.begin(), arguments.by_hand.end());
  std::string all = absl::StrJoin(parts, ", ");
  if (all.empty() || std::ranges::find(assumed_, all) != assumed_.end()) return;
  assumed_.push_back(std::move(all));
}

}  // namespace coalcheck::prediction
