// SPDX-License-Identifier: Apache-2.0
//
// Runs the kernel with its calls inlined; what no warp comes to is run without its branches, or
// judged by its formula.
#include "libcoalcheck/prediction/kernel_prediction.h"

#include <absl/strings/str_join.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <optional>
#include <utility>

#include "libcoalcheck/address/pointer_parameters.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/address/straight_line.h"
#include "libcoalcheck/prediction/example_shapes.h"
#include "libcoalcheck/prediction/formula_range.h"
#include "libcoalcheck/prediction/kernel_names.h"
#include "libcoalcheck/prediction/launch_limits.h"
#include "libcoalcheck/prediction/launch_prediction.h"
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
constexpr std::size_t kMostProblemsOfLaunch = 8;

struct Launch {
  LaunchValues values;
  bool is_example = false;
  double times = 1;

  Walk FirstWalk() const { return is_example ? Walk::kExample : Walk::kBlocks; }
};

// Single warps differ by where their rows begin in a sector.
bool IsLike(const AccessRange& one, const AccessRange& all) {
  constexpr double kNear = 0.1;
  return WastedShare(one.most) <= WastedShare(all.most) + kNear &&
         WastedShare(one.least) >= WastedShare(all.least) - kNear;
}

}  // namespace

// One kernel's way through its launches.
class KernelPrediction::Evaluation {
 public:
  Evaluation(KernelPrediction& result, const address::AccessFormulas& formulas,
             address::PtxModules& modules, const LaunchesToPredict& known)
      : result_(result),
        formulas_(formulas),
        known_(known),
        inlined_(
            ptx::WithCallsInlined(formulas.module(), formulas.function(),
                                  [&](std::string_view called) { return modules.Of(called); })),
        flow_(inlined_),
        program_(inlined_, flow_) {
    result_.steps_ += inlined_.inlined_bytes / ptx::kBytesOfStep;
    result_.steps_ +=
        ptx::kStepsOfInstruction * (inlined_.instructions.size() + inlined_.inlined_calls);
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

  const ptx::Function& function() const { return formulas_.function(); }
  bool is_too_large() const { return program_.slots() > kMostSlots; }
  std::vector<Extent> Examples() const {
    const bool has_depth =
        std::ranges::any_of(program_.specials(), [](const Program::SpecialSlot& one) {
          return one.special == ptx::Special::kTidZ || one.special == ptx::Special::kNtidZ;
        });
    return ExampleBlocks(function(), has_depth);
  }
  std::optional<Extent> Block() const {
    std::vector<Extent> blocks;
    for (const LaunchValues& launch : launches_) blocks.push_back(launch.block);
    return CommonBlock(blocks);
  }
  void Run(const Launch& launch) {
    launches_.push_back(launch.values);
    const std::uint64_t steps = launch.is_example ? kStepsOfExample : kStepsOfLaunch;
    LaunchPrediction one = Predict(program_, launch, launch.FirstWalk(), steps);
    const bool is_cut = !one.is_complete && !RunLonger(launch, one) && launch.is_example;
    if (one.has_open_rounds && !MissingIn(one).empty()) RunFarther(launch, one);
    const bool is_along_warps = launch.values.block.x % kWarpSize == 0;
    // Another block may come to what an example does not.
    is_cut_ = is_cut_ || launch.is_example || (!one.is_complete && is_along_warps);
    TakeAll(inlined_, one, launch, is_cut);
    if (launch.is_example) AddFar(one, launch);
    if (launch.values.grid_is_open && program_.depends_on_grid()) AddSingle(launch);
    if (!launch.is_example) Give(one, launch);
    if (!one.is_complete || launch.is_example) RunAlone(one, launch);
  }

  // Judges accesses that no warp came to: whole warps are taken to ask for them.
  void JudgeByFormula() {
    if (!is_cut_) return;
    for (const std::uint32_t instruction : own_) {
      const char* key = function().instructions[instruction].text.data();
      if (result_.sums_.contains(key)) continue;
      const auto sums = ByFormula(instruction);
      if (sums) result_.sums_.emplace(key, *sums);
    }
  }

  // What launches refer to lives as long as the evaluation.
  const KnownArguments& Keep(KnownArguments arguments) {
    return arguments_.emplace_back(std::move(arguments));
  }

 private:
  LaunchPrediction Predict(const Program& program, const Launch& launch, Walk walk,
                           std::uint64_t steps) {
    std::uint64_t left = steps;
    LaunchPrediction prediction = PredictLaunch(program, launch.values, uniform_, walk, left);
    // Where registers fill more than a cache, each step takes longer.
    result_.steps_ += (steps - left) * (1 + program.slots() / 1024);
    result_.steps_ += kStepsOfRequest * prediction.judged;
    result_.symbols_ += prediction.symbols;
    return prediction;
  }

  // Blocks and warps of larger launches, where they are far from what those of the example do.
  void AddFar(const LaunchPrediction& near, const Launch& launch) {
    std::uint64_t left = kStepsOfExample;
    for (const LaunchPrediction& one :
         PredictFarExamples(program_, launch.values, uniform_, left)) {
      result_.symbols_ += one.symbols;
      for (const auto& [instruction, range] : one.accesses) {
        const auto found = near.accesses.find(instruction);
        const bool is_like = found != near.accesses.end() && IsLike(range, found->second);
        if (!is_like) Take(inlined_, instruction, range, launch);
      }
    }
    result_.steps_ += (kStepsOfExample - left) * (1 + program_.slots() / 1024);
  }

  // A grid of one block, which is the first.
  void AddSingle(Launch launch) {
    launch.values.grid = {1, 1, 1};
    TakeAll(inlined_, Predict(program_, launch, Walk::kExample, kStepsOfExample), launch);
  }

  void Give(const LaunchPrediction& one, const Launch& launch) {
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

  // Empty where the formula says too little in one of the launches.
  std::optional<PredictedSums> ByFormula(std::uint32_t instruction) const {
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

  std::uint64_t* LeftForLong(const Launch& launch) const {
    return launch.is_example ? known_.left_for_long : known_.left_for_long_launches;
  }

  // Runs the launch again with more steps than most kernels need. False where fewer are left than
  // it may take.
  bool RunLonger(const Launch& launch, LaunchPrediction& one) {
    std::uint64_t* const left = LeftForLong(launch);
    const std::uint64_t most = launch.is_example ? kStepsOfLongExample : kStepsOfLongLaunch;
    const std::uint64_t given = left == nullptr ? 0 : std::min(most, *left);
    if (given <= (launch.is_example ? kStepsOfExample : kStepsOfLaunch)) return false;
    const std::uint64_t before = result_.steps_;
    one = Predict(program_, launch, launch.is_example ? Walk::kExample : Walk::kLongBlocks, given);
    *left -= std::min(result_.steps_ - before, *left);
    return one.is_complete || given == most;
  }

  // Adds accesses that warps come to in later rounds of a loop alone, as where it fills a stack
  // first.
  void RunFarther(const Launch& launch, LaunchPrediction& one) {
    std::uint64_t* const left = LeftForLong(launch);
    if (left == nullptr || *left <= kStepsOfLaunch) return;
    const std::uint64_t before = result_.steps_;
    const LaunchPrediction far =
        Predict(program_, launch, Walk::kFarInLoops, std::min(kStepsOfLongExample, *left));
    *left -= std::min(result_.steps_ - before, *left);
    one.accesses.insert(far.accesses.begin(), far.accesses.end());
  }

  // Of the kernel's own accesses.
  std::vector<std::uint32_t> MissingIn(const LaunchPrediction& whole) const {
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

  // `is_cut`: what comes behind the end of its warps may waste what they did not.
  void TakeAll(const ptx::Function& function, const LaunchPrediction& one, const Launch& launch,
               bool is_cut = false) {
    for (const auto& [instruction, range] : one.accesses) {
      PredictedSums& sums = Take(function, instruction, range, launch);
      sums.is_cut = sums.is_cut || is_cut;
    }
  }

  PredictedSums& Take(const ptx::Function& function, std::uint32_t instruction,
                      const AccessRange& range, const Launch& launch) {
    PredictedSums& sums = result_.sums_[function.instructions[instruction].text.data()];
    if (launch.is_example) {
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

  // The kernel's own accesses that its run did not come to.
  void RunAlone(const LaunchPrediction& whole, const Launch& launch) {
    const std::vector<std::uint32_t> missing = MissingIn(whole);
    if (missing.empty()) return;
    const address::StraightLine line = address::StraightLineOf(function(), missing);
    if (line.function.instructions.empty()) return;
    const ptx::ControlFlow flow(line.function);
    const Program program(line.function, flow);
    const LaunchPrediction alone = Predict(program, launch, launch.FirstWalk(), kStepsOfExample);
    TakeAll(line.function, alone, launch);
  }

  KernelPrediction& result_;
  const address::AccessFormulas& formulas_;
  const LaunchesToPredict& known_;
  const ptx::Function inlined_;
  const ptx::ControlFlow flow_;
  const Program program_;
  std::vector<std::uint32_t> own_;  // accesses of the kernel itself
  UniformLoads uniform_;
  std::vector<LaunchValues> launches_;   // that were evaluated
  std::list<KnownArguments> arguments_;  // which those refer to
  bool is_cut_ = false;                  // there may be requests that were not come to
};

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
    Launch example{{kExampleGrid, block, {}, 0, {}, pointers_}, true, 1};
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
  Launch launch;
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
