// SPDX-License-Identifier: Apache-2.0
//
// Runs the kernel with its calls inlined; what no warp comes to is run without its branches, or
// judged by its formula.
#include "libcoalcheck/prediction/kernel_evaluation.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "libcoalcheck/address/launch_conditions.h"
#include "libcoalcheck/address/round_parts.h"
#include "libcoalcheck/address/straight_line.h"
#include "libcoalcheck/prediction/example_shapes.h"
#include "libcoalcheck/prediction/formula_range.h"
#include "libcoalcheck/ptx/inline_calls.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::prediction {
namespace {

using address::Extent;
using address::LaunchValues;
using address::Origin;
using address::Program;

// What may be spent on one function.
constexpr std::uint64_t kStepsOfExample = 40'000;
constexpr std::uint64_t kStepsOfLongExample = 640'000;  // where those do not do
constexpr std::uint64_t kStepsOfLaunch = 400'000;
constexpr std::uint64_t kStepsOfLongLaunch = 12'000'000;
// To judge a request takes longer than to come to it, by about so many steps.
constexpr std::uint64_t kStepsOfRequest = 40;
constexpr std::size_t kMostSlots = 4096;

// Single warps differ by where their rows begin in a sector.
bool IsLike(const AccessRange& one, const AccessRange& all) {
  constexpr double kNear = 0.1;
  return WastedShare(one.most) <= WastedShare(all.most) + kNear &&
         WastedShare(one.least) >= WastedShare(all.least) - kNear;
}

}  // namespace

bool KernelPrediction::Evaluation::is_too_large() const { return program_.slots() > kMostSlots; }

KernelPrediction::Evaluation::Evaluation(KernelPrediction& result,
                                         const address::AccessFormulas& formulas,
                                         address::PtxModules& modules,
                                         const LaunchesToPredict& known)
    : result_(result),
      formulas_(formulas),
      known_(known),
      inlined_(ptx::WithCallsInlined(formulas.module(), formulas.function(),
                                     [&](std::string_view called) { return modules.Of(called); })),
      flow_(inlined_),
      program_(inlined_, flow_) {
  result_.steps_ += inlined_.inlined_bytes / ptx::kBytesOfStep;
  result_.steps_ +=
      ptx::kStepsOfInstruction * (inlined_.instructions.size() + inlined_.inlined_calls);
  result_.calls_unseen_ = ptx::CallsUnseen(inlined_);
  for (const ptx::Instruction& one : inlined_.instructions) {
    if (ptx::IsGlobalAccess(one)) result_.held_.insert(one.text.data());
  }
  for (std::uint32_t i = 0; i < formulas.function().instructions.size(); ++i) {
    if (!ptx::IsGlobalAccess(formulas.function().instructions[i])) continue;
    own_.push_back(i);
    const bool is_uniform = formulas.LanesOf(i).kind == address::LanePart::Kind::kNone;
    if (is_uniform) uniform_.insert(formulas.function().instructions[i].text.data());
  }
}

std::vector<Extent> KernelPrediction::Evaluation::Examples() const {
  const auto reads = [this](ptx::Special thread, ptx::Special block) {
    return std::ranges::any_of(program_.specials(), [&](const Program::SpecialSlot& one) {
      return one.special == thread || one.special == block;
    });
  };
  return ExampleBlocks(function(), reads(ptx::Special::kTidY, ptx::Special::kNtidY),
                       reads(ptx::Special::kTidZ, ptx::Special::kNtidZ));
}

std::optional<Extent> KernelPrediction::Evaluation::Block() const {
  std::vector<Extent> blocks;
  for (const LaunchValues& launch : launches_) blocks.push_back(launch.block);
  return CommonBlock(blocks);
}

void KernelPrediction::Evaluation::Run(const LaunchToRun& launch) {
  launches_.push_back(launch.values);
  const std::uint64_t steps = launch.is_example ? kStepsOfExample : kStepsOfLaunch;
  LaunchPrediction one = Predict(program_, launch, launch.FirstWalk(), steps);
  const bool is_cut = !one.is_complete && !RunLonger(launch, one) && launch.is_example;
  if (one.has_open_rounds && !MissingIn(one).empty()) RunFarther(launch, one);
  has_examples_ = has_examples_ || launch.is_example;
  has_later_rounds_ = has_later_rounds_ || one.has_open_rounds || one.is_cut;
  TakeAll(inlined_, one, launch, is_cut);
  if (launch.is_example) AddFar(one, launch);
  if (launch.values.grid_is_open && program_.depends_on_grid()) AddSingle(launch);
  if (!launch.is_example) Give(one, launch);
  // Of a launch of which some warps of all kinds of blocks came to their end, the others hardly
  // come to more.
  if (one.is_cut || launch.is_example) RunAlone(one, launch);
}

void KernelPrediction::Evaluation::AllowForWhatWasNotRun() {
  if (!has_later_rounds_ && !has_examples_) return;
  if (inlined_.inlined_calls == 0) return AllowForWhatWasNotRunIn(formulas_.formulas());
  const address::FunctionFormulas inlined(inlined_, flow_);
  result_.steps_ += inlined.work() / 16;
  AllowForWhatWasNotRunIn(inlined);
}

// A function that is called in several places is judged by the worst of them.
void KernelPrediction::Evaluation::AllowForWhatWasNotRunIn(
    const address::FunctionFormulas& formulas) {
  const address::RoundParts rounds(formulas);
  result_.steps_ += formulas.atoms().size() / 4;
  std::map<PredictedSums*, address::RoundPart> parts;
  std::set<PredictedSums*> bent;
  for (std::uint32_t i = 0; i < formulas.function().instructions.size(); ++i) {
    const ptx::Instruction& one = formulas.function().instructions[i];
    const auto sums =
        ptx::IsGlobalAccess(one) ? result_.sums_.find(one.text.data()) : result_.sums_.end();
    if (sums == result_.sums_.end()) continue;
    if (rounds.BendsLanes(i)) bent.insert(&sums->second);
    if (!has_later_rounds_) continue;
    sums->second.by_rounds = sums->second.by_rounds || rounds.IsBehindLoop(i);
    if (rounds.IsOfSomeRounds(i)) sums->second.round_block = formulas.flow().BlockOf(i);
    address::RoundPart& part = parts[&sums->second];
    part = std::max(part, rounds.Of(i));
  }
  for (const auto& [sums, part] : parts) sums->AllowFor(part);
  for (PredictedSums* sums : bent) sums->AllowForOtherThreads();
}

void KernelPrediction::Evaluation::JudgeByFormula() {
  for (const std::uint32_t instruction : missing_) {
    const char* key = function().instructions[instruction].text.data();
    if (result_.sums_.contains(key)) continue;
    const auto sums = ByFormula(instruction);
    if (sums) result_.sums_.emplace(key, *sums);
  }
}

const KnownArguments& KernelPrediction::Evaluation::Keep(KnownArguments arguments) {
  return arguments_.emplace_back(std::move(arguments));
}

LaunchPrediction KernelPrediction::Evaluation::Predict(const Program& program,
                                                       const LaunchToRun& launch, Walk walk,
                                                       std::uint64_t steps) {
  std::uint64_t left = steps;
  LaunchPrediction prediction = PredictLaunch(program, launch.values, uniform_, walk, left);
  // Where registers fill more than a cache, each step takes longer.
  result_.steps_ += (steps - left) * (1 + program.slots() / 1024);
  result_.steps_ += kStepsOfRequest * prediction.judged;
  result_.symbols_ += prediction.symbols;
  return prediction;
}

void KernelPrediction::Evaluation::AddFar(const LaunchPrediction& near, const LaunchToRun& launch) {
  std::uint64_t left = kStepsOfExample;
  for (const LaunchPrediction& one : PredictFarExamples(program_, launch.values, uniform_, left)) {
    result_.symbols_ += one.symbols;
    for (const auto& [instruction, range] : one.accesses) {
      const auto found = near.accesses.find(instruction);
      const bool is_like = found != near.accesses.end() && IsLike(range, found->second);
      if (!is_like) Take(inlined_, instruction, range, launch);
    }
  }
  result_.steps_ += (kStepsOfExample - left) * (1 + program_.slots() / 1024);
}

void KernelPrediction::Evaluation::AddSingle(LaunchToRun launch) {
  launch.values.grid = {1, 1, 1};
  TakeAll(inlined_, Predict(program_, launch, Walk::kExample, kStepsOfExample), launch);
}

void KernelPrediction::Evaluation::Give(const LaunchPrediction& one, const LaunchToRun& launch) {
  const bool is_enough = result_.given_.size() >= findings::kMostCountedLaunches;
  if (is_enough || IsOpenByArguments(one, function(), result_.pointers_)) return;
  GivenLaunch& given = result_.given_.emplace_back();
  given.grid = launch.values.grid;
  given.block = launch.values.block;
  given.launches = launch.times;
  given.dynamic_shared_bytes = launch.values.dynamic_shared_bytes;
  given.arguments = launch.values.arguments.value_or("");
  given.known = launch.values.known.value_or("");
  MakeUpPointers(result_.pointers_, BytesOfParameters(function()), given);
  for (const auto& [instruction, range] : one.accesses) {
    given.accesses[inlined_.instructions[instruction].text.data()].Add(range.most);
  }
}

std::optional<PredictedSums> KernelPrediction::Evaluation::ByFormula(
    std::uint32_t instruction) const {
  const std::uint32_t width = ptx::WidthOf(function(), function().instructions[instruction]);
  std::optional<PredictedSums> sums;
  for (const LaunchValues& values : launches_) {
    auto range = RangeByFormula(formulas_, instruction, width, values);
    if (!range || values.block.x % kWarpSize != 0) return std::nullopt;
    // Guards were not followed, and may leave out the lane that asks for one sector more.
    const bool is_at_edge = range->least.sectors - range->least.ideal_sectors <= Sectors(1);
    if (is_at_edge) range->least.ideal_sectors = range->least.sectors;
    if (!sums) sums.emplace();
    sums->possible.Include(address::SumsOf(range->least), address::SumsOf(range->most));
  }
  return sums;
}

std::uint64_t* KernelPrediction::Evaluation::LeftForLong(const LaunchToRun& launch) const {
  return launch.is_example ? known_.left_for_long : known_.left_for_long_launches;
}

bool KernelPrediction::Evaluation::RunLonger(const LaunchToRun& launch, LaunchPrediction& one) {
  std::uint64_t* const left = LeftForLong(launch);
  const std::uint64_t most = launch.is_example ? kStepsOfLongExample : kStepsOfLongLaunch;
  const std::uint64_t given = left == nullptr ? 0 : std::min(most, *left);
  if (given <= (launch.is_example ? kStepsOfExample : kStepsOfLaunch)) return false;
  const std::uint64_t before = result_.steps_;
  one = Predict(program_, launch, launch.is_example ? Walk::kExample : Walk::kLongBlocks, given);
  *left -= std::min(result_.steps_ - before, *left);
  return one.is_complete || given == most;
}

void KernelPrediction::Evaluation::RunFarther(const LaunchToRun& launch, LaunchPrediction& one) {
  std::uint64_t* const left = LeftForLong(launch);
  if (left == nullptr || *left <= kStepsOfLaunch) return;
  const std::uint64_t before = result_.steps_;
  const LaunchPrediction far =
      Predict(program_, launch, Walk::kFarInLoops, std::min(kStepsOfLongExample, *left));
  *left -= std::min(result_.steps_ - before, *left);
  one.accesses.insert(far.accesses.begin(), far.accesses.end());
}

std::vector<std::uint32_t> KernelPrediction::Evaluation::MissingIn(
    const LaunchPrediction& whole) const {
  std::set<const char*> found;
  for (const auto& [instruction, range] : whole.accesses) {
    found.insert(inlined_.instructions[instruction].text.data());
  }
  std::vector<std::uint32_t> missing;
  for (const std::uint32_t instruction : own_) {
    const bool is_found = found.contains(function().instructions[instruction].text.data());
    if (!is_found) missing.push_back(instruction);
  }
  return missing;
}

std::vector<std::uint32_t> KernelPrediction::Evaluation::WithoutRuledOut(
    std::vector<std::uint32_t> accesses, const LaunchPrediction& whole, const LaunchToRun& launch) {
  const LaunchValues& values = launch.values;
  const bool is_open = values.block_is_open && values.grid_is_open && !values.arguments;
  if (accesses.empty() || is_open) return accesses;
  const address::FunctionFormulas& formulas = formulas_.formulas();
  const address::LaunchConditions conditions(formulas, values);
  result_.steps_ += formulas.atoms().terms() / 16;
  const bool is_whole = whole.is_complete && !whole.is_cut && !whole.has_open_rounds;
  std::erase_if(accesses, [&](std::uint32_t access) {
    return conditions.RuleOut(access) || (is_whole && conditions.DecideAlone(access));
  });
  return accesses;
}

void KernelPrediction::Evaluation::TakeAll(const ptx::Function& function,
                                           const LaunchPrediction& one, const LaunchToRun& launch,
                                           bool is_cut) {
  for (const auto& [instruction, range] : one.accesses) {
    PredictedSums& sums = Take(function, instruction, range, launch, one.is_cut);
    sums.is_cut = sums.is_cut || is_cut;
  }
}

PredictedSums& KernelPrediction::Evaluation::Take(const ptx::Function& function,
                                                  std::uint32_t instruction,
                                                  const AccessRange& range,
                                                  const LaunchToRun& launch, bool is_short) {
  PredictedSums& sums = result_.sums_[function.instructions[instruction].text.data()];
  if (launch.is_example || is_short) {
    sums.possible.Include(range.least, range.most);
  } else {
    sums.given_least.Add(range.least, launch.times);
    sums.given_most.Add(range.most, launch.times);
  }
  sums.lanes_open += range.lanes_open * launch.times;
  sums.by_stores = sums.by_stores || range.by_stores;
  for (const Origin& origin : range.origins) {
    if (origin.IsData()) sums.ptx_lines.insert(function.instructions[origin.place].line);
    if (origin.kind == Origin::Kind::kParameter) sums.parameters.insert(origin.place);
    sums.has_variables = sums.has_variables || origin.kind == Origin::Kind::kVariable;
  }
  return sums;
}

void KernelPrediction::Evaluation::RunAlone(const LaunchPrediction& whole,
                                            const LaunchToRun& launch) {
  const std::vector<std::uint32_t> missing = WithoutRuledOut(MissingIn(whole), whole, launch);
  if (missing.empty()) return;
  missing_.insert(missing.begin(), missing.end());
  const address::StraightLine line = address::StraightLineOf(function(), missing);
  if (line.function.instructions.empty()) return;
  const ptx::ControlFlow flow(line.function);
  const Program program(line.function, flow);
  const LaunchPrediction alone = Predict(program, launch, launch.FirstWalk(), kStepsOfExample);
  TakeAll(line.function, alone, launch);
}

}  // namespace coalcheck::prediction
