// SPDX-License-Identifier: Apache-2.0
//
// Joins machine instructions with the PTX they were made of, launch by launch.
#include "libcoalcheck/findings/explaining/explanations.h"

#include <algorithm>

#include "libcoalcheck/address/formula_loads.h"
#include "libcoalcheck/address/straight_line.h"
#include "libcoalcheck/findings/explaining/confirm.h"
#include "libcoalcheck/ptx/inline_calls.h"

namespace coalcheck::findings {
namespace {

using address::EvaluatedAccess;
using address::LaneShape;
using address::LaunchEvaluation;
using address::Origin;
using address::RequestSample;
using patterns::AddressFact;
using patterns::ByteStep;

constexpr std::uint64_t kMostStepsOfLaunch = 1'000'000;
// Of the steps that are left, so that one kernel does not take those of the others.
constexpr std::uint64_t kShareOfMoves = 3;
constexpr std::uint64_t kMostStepsAlone = 100'000;
// Without arguments only the shape of a request can be told, which a few requests show.
constexpr std::uint64_t kMostStepsWithoutArguments = 50'000;
// Copies of them are kept where unknown data decide a branch, and branches nest.
constexpr std::size_t kMostSlots = 4096;
// Every pair of accesses is compared: functions with more of them keep their siblings to
// themselves.
constexpr std::size_t kMostPaired = 1024;

address::Extent ExtentOf(const recording::Dim3& size) { return {size.x, size.y, size.z}; }

// Of two requests of one warp in the same turn: how far the second lies behind the first, if that
// is the same for all lanes.
std::optional<std::int64_t> Distance(const RequestSample& a, const RequestSample& b) {
  if (a.block != b.block || a.warp != b.warp || a.turn != b.turn) return std::nullopt;
  std::optional<std::int64_t> distance;
  bool is_one = (a.active & b.active) != 0;
  address::EachLane(a.active & b.active, [&](std::uint32_t lane) {
    const auto apart = static_cast<std::int64_t>(b.addresses.bits[lane] - a.addresses.bits[lane]);
    is_one = is_one && a.addresses.form[lane] == b.addresses.form[lane] &&
             apart == distance.value_or(apart);
    distance = apart;
  });
  return is_one ? distance : std::nullopt;
}

std::optional<std::int64_t> DistanceOf(const EvaluatedAccess& a, const EvaluatedAccess& b) {
  for (const RequestSample& mine : a.samples) {
    for (const RequestSample& other : b.samples) {
      if (const auto distance = Distance(mine, other)) return distance;
    }
  }
  return std::nullopt;
}

// What the shape that most requests have says of lanes.
void AddLanes(const LaneShape& shape, AddressFact& fact) {
  switch (shape.kind) {
    case LaneShape::Kind::kSame:
    case LaneShape::Kind::kStep:
    case LaneShape::Kind::kRows:
      fact.form = AddressFact::Form::kAffine;
      fact.lane_step = ByteStep(shape.step);
      fact.row_lanes = Lanes(shape.kind == LaneShape::Kind::kRows ? shape.row : kWarpSize);
      if (!shape.begins_by_data) fact.offset = Bytes(shape.phase);
      return;
    case LaneShape::Kind::kStepByLaunch:
      fact.form = AddressFact::Form::kAffine;
      fact.step_of_run = true;
      return;
    case LaneShape::Kind::kByData:
      fact.form = AddressFact::Form::kLoaded;
      return;
    case LaneShape::Kind::kIrregular:
      return;
  }
}

// What a launch gives its kernel; without the arguments where they were not recorded.
address::LaunchValues ValuesOf(const CountedLaunch& launch, bool has_arguments) {
  address::LaunchValues values{ExtentOf(launch.grid), ExtentOf(launch.block), {}, 0};
  if (has_arguments) values.arguments = launch.arguments.bytes;
  if (launch.arguments.shared_memory) {
    values.dynamic_shared_bytes = launch.arguments.shared_memory->count();
  }
  return values;
}

}  // namespace

Explanations::Explanations(const cubin::Function& function, address::PtxModules& modules,
                           const FunctionAggregate& counted, StepsLeft& steps)
    : modules_(modules), formulas_(function, modules) {
  nothing_.why = formulas_.why_not();
  if (!nothing_.why.empty()) return;
  AddCounts(function, counted);
  nothing_.why = "no launch of its kernel was counted by itself";
  for (const CountedLaunch& launch : counted.counted) {
    ExplainLaunch(function, launch, steps);
    steps.to_evaluate -= std::min<std::uint64_t>(steps.to_evaluate, 1);
  }
  if (!launches_.empty()) nothing_.why = "it was not made of an access in the PTX of its kernel";
}

void Explanations::AddTo(CountsOfPtx& counted, const cubin::GlobalAccess& access,
                         const RawCounts& counts) const {
  const std::uint32_t instruction = formulas_.InstructionAt(access.pc);
  if (instruction == ptx::kNone) return;
  PtxCounts& one = counted[instruction];
  one.counts += counts.Of(access.kind);
  one.width = access.width;
  one.kind = access.kind;
}

void Explanations::AddCounts(const cubin::Function& function, const FunctionAggregate& counted) {
  for (const auto& [pc, instruction] : counted.instructions) {
    const cubin::GlobalAccess* access = cubin::Cubin::FindAccess(function, pc);
    if (access == nullptr) continue;
    has_strays_ = has_strays_ || formulas_.InstructionAt(access->pc) == ptx::kNone;
    AddTo(counted_, *access, instruction.counts);
  }
}

const Explanations::CalledKernel* Explanations::KernelOf(const std::string& name) {
  const auto [entry, is_new] = kernels_.try_emplace(name);
  if (!is_new) return entry->second.get();
  const bool is_own = name == formulas_.function().name;
  const ptx::Module* module = is_own ? &formulas_.module() : modules_.Of(name);
  const ptx::Module::Entry* kernel = module == nullptr ? nullptr : module->Find(name);
  if (kernel == nullptr) {
    nothing_.why = "the PTX of the kernel that calls it is not in the code";
    return nullptr;
  }
  entry->second = std::make_unique<CalledKernel>(
      ptx::WithCallsInlined(*module, is_own ? formulas_.function() : module->Read(*kernel),
                            [this](std::string_view called) { return modules_.Of(called); }));
  if (entry->second->program.slots() > kMostSlots) {
    nothing_.why = "its addresses depend on more registers than the evaluator holds";
    entry->second.reset();
  }
  return entry->second.get();
}

address::LaunchEvaluation Explanations::Own(const CalledKernel& kernel,
                                            address::LaunchEvaluation evaluation) const {
  std::erase_if(evaluation.accesses, [&](EvaluatedAccess& access) {
    const ptx::Instruction& one = kernel.function.instructions[access.instruction];
    const bool is_here = formulas_.module().Holds(one.text);
    access.instruction = is_here ? formulas_.InstructionInLine(one.line) : ptx::kNone;
    return access.instruction == ptx::kNone;
  });
  std::ranges::sort(evaluation.accesses, {}, &EvaluatedAccess::instruction);
  return evaluation;
}

void Explanations::ExplainLaunch(const cubin::Function& function, const CountedLaunch& launch,
                                 StepsLeft& left) {
  // The launch's arguments are those of its kernel.
  const bool is_kernel = launch.kernel == formulas_.function().name;
  const CalledKernel* kernel = KernelOf(launch.kernel);
  if (kernel == nullptr && !is_kernel) return;
  CountsOfPtx counted;
  for (const cubin::GlobalAccess& access : function.accesses) {
    const auto counts = launch.counts.find(access.pc);
    if (counts != launch.counts.end()) AddTo(counted, access, counts->second);
  }
  const bool has_arguments =
      launch.arguments.missing.empty() && launch.arguments.launches > Launches(0);
  const address::LaunchValues values = ValuesOf(launch, has_arguments);
  address::EvaluationLimits limits;
  limits.steps = std::min(has_arguments ? kMostStepsOfLaunch : kMostStepsWithoutArguments,
                          left.ShareOfLaunch());
  const LaunchEvaluation with_called =
      kernel == nullptr ? LaunchEvaluation() : address::Evaluate(kernel->program, values, limits);
  const LaunchEvaluation evaluation = kernel == nullptr ? with_called : Own(*kernel, with_called);
  left.launches -= with_called.steps;
  const LaunchEvaluation alone =
      is_kernel ? EvaluateAlone(counted, evaluation, values, left) : LaunchEvaluation();
  Launch& result = launches_.emplace_back();
  result.block = launch.block;
  // Of several launches, which differ, no value is the kernel's.
  values_.reset();
  if (launches_.size() == 1 && has_arguments && is_kernel) values_ = values;
  for (const auto& [instruction, one] : counted) {
    const EvaluatedAccess* by_itself = alone.Find(instruction);
    const EvaluatedAccess* access = by_itself != nullptr ? by_itself : evaluation.Find(instruction);
    const LaunchEvaluation& of = by_itself != nullptr ? alone : evaluation;
    const ptx::Function& origins =
        by_itself != nullptr || kernel == nullptr ? formulas_.function() : kernel->function;
    const Verdict verdict =
        by_itself != nullptr ? ConfirmAlone(one.counts, *by_itself)
                             : Confirm(one.counts, one.width, launch.launches, origins, of, access);
    Explanation explanation;
    explanation.standing = verdict.standing;
    explanation.why = access == nullptr && kernel == nullptr ? nothing_.why : verdict.why;
    explanation.totals_held = verdict.totals_held;
    explanation.all_blocks = by_itself == nullptr && evaluation.is_complete;
    if (access != nullptr && verdict.agrees) {
      AddFact(*access, origins, counted, of, explanation);
    }
    result.explanations.emplace(instruction, std::move(explanation));
  }
  if (!is_kernel || kernel == nullptr) return;
  std::set<std::uint32_t> confirmed;
  for (const auto& [instruction, one] : result.explanations) {
    const bool has_counts = one.standing == Standing::kConfirmed;
    if (has_counts && evaluation.Find(instruction) != nullptr) confirmed.insert(instruction);
  }
  const std::map<std::uint32_t, std::uint32_t> lines = LinesOf(function);
  const CountedKernel counted_kernel{
      formulas_,   kernel->program, values,
      with_called, counted,         static_cast<double>(launch.launches.count()),
      confirmed,   lines,           has_strays_};
  Try(launch, counted_kernel, left.moves);
}

// By instruction of the PTX: instructions of one line and inline chain have one number.
std::map<std::uint32_t, std::uint32_t> Explanations::LinesOf(
    const cubin::Function& function) const {
  std::map<std::vector<std::pair<std::string_view, std::uint32_t>>, std::uint32_t> numbers;
  std::map<std::uint32_t, std::uint32_t> lines;
  for (const cubin::GlobalAccess& access : function.accesses) {
    std::vector<std::pair<std::string_view, std::uint32_t>> chain;
    for (const cubin::SourceFrame& frame : access.frames)
      chain.emplace_back(frame.file, frame.line);
    const auto number = static_cast<std::uint32_t>(numbers.size());
    const std::uint32_t line = numbers.try_emplace(std::move(chain), number).first->second;
    lines.try_emplace(formulas_.InstructionAt(access.pc), line);
  }
  return lines;
}

void Explanations::Try(const CountedLaunch& launch, const CountedKernel& kernel,
                       std::uint64_t& steps) {
  const bool wastes = std::ranges::any_of(
      kernel.counted, [](const auto& one) { return one.second.counts.Wasted() > Sectors(0); });
  if (tried_ && (tried_->moves.tried || !kernel.values.arguments || !wastes)) return;
  std::uint64_t of_kernel = steps / kShareOfMoves;
  const std::uint64_t before = of_kernel;
  TriedLaunch tried{launch.grid, launch.block, {}, {}};
  if (wastes) tried.moves = TryMovesOn(kernel, of_kernel);
  tried.fetched_again = FetchedAgainOn(kernel, of_kernel);
  steps -= before - of_kernel;
  if (!tried_ || tried.moves.tried) tried_ = std::move(tried);
}

// What the whole kernel's evaluation did not come to.
LaunchEvaluation Explanations::EvaluateAlone(const CountsOfPtx& counted,
                                             const LaunchEvaluation& evaluation,
                                             const address::LaunchValues& values,
                                             StepsLeft& left) const {
  std::vector<std::uint32_t> missing;
  for (const auto& [instruction, one] : counted) {
    const bool ran = one.counts.requests > Requests(0);
    if (ran && evaluation.Find(instruction) == nullptr) missing.push_back(instruction);
  }
  if (missing.empty() || evaluation.is_complete || !values.arguments) return {};
  const address::StraightLine line = address::StraightLineOf(formulas_.function(), missing);
  if (line.function.instructions.empty()) return {};
  const ptx::ControlFlow flow(line.function);
  const address::Program program(line.function, flow);
  address::EvaluationLimits limits;
  limits.steps = std::min(kMostStepsAlone, left.ShareOfLaunch());
  LaunchEvaluation alone = address::Evaluate(program, values, limits);
  left.launches -= alone.steps;
  for (EvaluatedAccess& access : alone.accesses) access.instruction = line.from[access.instruction];
  std::ranges::sort(alone.accesses, {}, &EvaluatedAccess::instruction);
  return alone;
}

void Explanations::AddFact(const EvaluatedAccess& access, const ptx::Function& origins,
                           const CountsOfPtx& counted, const LaunchEvaluation& evaluation,
                           Explanation& explanation) const {
  // Arguments that were not recorded may make lanes differ in ways that only the formula names.
  const bool is_open =
      !IsOfData(access) && std::ranges::any_of(access.shapes, [](const address::ShapeShare& share) {
        return share.shape.kind == LaneShape::Kind::kByData;
      });
  if (is_open) return;
  for (const Origin& origin : access.origins) {
    const bool is_load =
        origin.kind == Origin::Kind::kLoaded || origin.kind == Origin::Kind::kAtomic;
    if (!is_load) continue;
    explanation.data_lines.push_back(origins.instructions[origin.place].line);
  }
  explanation.fact = FactOf(access, counted, evaluation);
}

AddressFact Explanations::FactOf(const EvaluatedAccess& access, const CountsOfPtx& counted,
                                 const LaunchEvaluation& evaluation) const {
  AddressFact fact;
  fact.shapes = access.shapes;
  if (!access.shapes.empty()) AddLanes(access.shapes.front().shape, fact);
  if (!access.turns) fact.loop_step = ByteStep(0);
  if (access.has_turn_step) fact.loop_step = ByteStep(access.turn_step);
  if (access.blocks_alike && access.by_data == 0 && fact.form == AddressFact::Form::kAffine) {
    const bool has_step = access.has_turn_step || !access.turns;
    if (has_step) {
      const auto turn = static_cast<std::uint64_t>(access.turn_step);
      const std::uint64_t step = access.turn_step < 0 ? 0 - turn : turn;
      fact.reach = patterns::Reach{Bytes(access.span), Bytes(access.turns ? step : 0)};
    }
  }
  const address::LanePart part = formulas_.LanesOf(access.instruction);
  fact.step_of_run = fact.step_of_run || (part.kind == address::LanePart::Kind::kOfRun &&
                                          !part.StepInBytes().has_value());
  if (counted.size() > kMostPaired) return fact;
  // Who was counted, of the same kind: what a store writes is not there for a load.
  fact.siblings.emplace();
  const cubin::AccessKind kind = counted.at(access.instruction).kind;
  for (const auto& [instruction, other] : counted) {
    if (instruction == access.instruction || other.kind != kind) continue;
    if (other.counts.requests == Requests(0)) continue;
    const EvaluatedAccess* its = evaluation.Find(instruction);
    if (its == nullptr) continue;
    if (const auto distance = DistanceOf(access, *its)) {
      fact.siblings->push_back({ByteStep(*distance), other.width});
    }
  }
  return fact;
}

const Explanation& Explanations::Evaluated(std::uint32_t instruction,
                                           const std::optional<recording::Dim3>& block) const {
  const Explanation* any = &nothing_;
  for (const Launch& launch : launches_) {
    const auto found = launch.explanations.find(instruction);
    if (found == launch.explanations.end()) continue;
    if (block && launch.block == *block) return found->second;
    if (any == &nothing_) any = &found->second;
  }
  return *any;
}

Explanation Explanations::At(PcOffset pc, const std::optional<recording::Dim3>& block) const {
  const std::uint32_t instruction = formulas_.InstructionAt(pc);
  Explanation explanation = Evaluated(instruction, block);
  const bool is_open = explanation.standing == Standing::kNotEvaluated &&
                       explanation.fact.form == AddressFact::Form::kNotKnown &&
                       explanation.fact.shapes.empty();
  const address::Formula* formula = is_open ? formulas_.Of(instruction) : nullptr;
  if (formula == nullptr) return explanation;
  explanation.fact = FactOfFormula(formulas_, instruction, block, counted_);
  for (const std::uint32_t load : address::LoadsIn(formulas_.formulas(), *formula)) {
    explanation.data_lines.push_back(formulas_.function().instructions[load].line);
  }
  const auto counted = counted_.find(instruction);
  const bool ran = counted != counted_.end() && counted->second.counts.requests > Requests(0);
  if (ran && !explanation.data_lines.empty()) {
    explanation.standing = Standing::kDecidedByData;
    explanation.why.clear();
  }
  return explanation;
}

}  // namespace coalcheck::findings
