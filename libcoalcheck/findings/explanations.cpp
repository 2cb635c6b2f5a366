// SPDX-License-Identifier: Apache-2.0
//
// Joins machine instructions with the PTX they were made of, launch by launch.
#include "libcoalcheck/findings/explanations.h"

#include <algorithm>

#include "libcoalcheck/findings/confirm.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::findings {
namespace {

using address::EvaluatedAccess;
using address::LaneShape;
using address::LaunchEvaluation;
using address::Origin;
using address::RequestSample;
using patterns::AddressFact;
using patterns::ByteStep;

// Of the steps that are left, so that one kernel does not take those of the others.
constexpr std::uint64_t kMostStepsOfLaunch = 1'000'000;
constexpr std::uint64_t kShareOfLaunch = 4;
// Copies of them are kept where unknown data decide a branch, and branches nest.
constexpr std::size_t kMostSlots = 4096;

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

}  // namespace

const ptx::Module* PtxModules::Of(const cubin::Function& function) {
  if (function.ptx_text.empty()) return nullptr;
  std::unique_ptr<ptx::Module>& module = modules_[function.ptx_text.data()];
  if (module == nullptr) module = std::make_unique<ptx::Module>(function.ptx_text);
  return module.get();
}

Explanations::Explanations(const cubin::Function& function, PtxModules& modules,
                           const std::vector<CountedLaunch>& launches, std::uint64_t& steps) {
  const ptx::Module* module = modules.Of(function);
  const ptx::Module::Entry* entry = module == nullptr ? nullptr : module->Find(function.name);
  if (entry == nullptr) {
    why_not_ = module == nullptr ? "the code carries no PTX" : "its PTX is not in the code";
  } else {
    program_.emplace(module->Read(*entry));
    JoinWithPtx(function);
    formulas_.emplace(program_->function(), program_->flow());
    lanes_.emplace(*formulas_);
    if (program_->slots() > kMostSlots) {
      why_not_ = "its addresses depend on more registers than the evaluator holds";
    } else {
      for (const CountedLaunch& launch : launches) ExplainLaunch(function, launch, steps);
    }
  }
  nothing_.why = !why_not_.empty()  ? why_not_
                 : launches.empty() ? "no launch of its kernel was counted by itself"
                                    : "it was not made of an access in the PTX of its kernel";
}

void Explanations::JoinWithPtx(const cubin::Function& function) {
  std::map<std::uint32_t, std::uint32_t> by_line;
  const ptx::Function& code = program_->function();
  for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
    if (ptx::IsGlobalAccess(code.instructions[i]))
      by_line.try_emplace(code.instructions[i].line, i);
  }
  for (const cubin::GlobalAccess& access : function.accesses) {
    const auto found = by_line.find(access.ptx_line);
    if (found != by_line.end()) instructions_.emplace(access.pc, found->second);
  }
}

std::uint32_t Explanations::InstructionAt(PcOffset pc) const {
  const auto found = instructions_.find(pc);
  return found == instructions_.end() ? ptx::kNone : found->second;
}

void Explanations::ExplainLaunch(const cubin::Function& function, const CountedLaunch& launch,
                                 std::uint64_t& steps) {
  ByInstruction counted;
  for (const cubin::GlobalAccess& access : function.accesses) {
    const auto counts = launch.counts.find(access.pc);
    const auto instruction = instructions_.find(access.pc);
    if (counts == launch.counts.end() || instruction == instructions_.end()) continue;
    Counted& one = counted[instruction->second];
    one.counts += counts->second.Of(access.kind);
    one.width = access.width;
    one.kind = access.kind;
  }
  address::LaunchValues values{ExtentOf(launch.grid), ExtentOf(launch.block), {}, 0};
  const bool has_arguments =
      launch.arguments.missing.empty() && launch.arguments.launches > Launches(0);
  if (has_arguments) {
    values.arguments = launch.arguments.bytes;
  }
  if (launch.arguments.shared_memory) {
    values.dynamic_shared_bytes = launch.arguments.shared_memory->count();
  }
  address::EvaluationLimits limits;
  limits.steps = std::min(kMostStepsOfLaunch, steps / kShareOfLaunch);
  const LaunchEvaluation evaluation = address::Evaluate(*program_, values, limits);
  steps -= evaluation.steps;
  Launch& result = launches_.emplace_back();
  result.block = launch.block;
  for (const auto& [instruction, one] : counted) {
    result.explanations.emplace(instruction,
                                Explain(instruction, one, counted, launch, evaluation));
  }
}

Explanation Explanations::Explain(std::uint32_t instruction, const Counted& counted,
                                  const ByInstruction& all, const CountedLaunch& launch,
                                  const LaunchEvaluation& evaluation) {
  const EvaluatedAccess* access = evaluation.Find(instruction);
  const ptx::Function& function = program_->function();
  const Verdict verdict = Confirm(counted.counts, launch.launches, function, evaluation, access);
  Explanation explanation;
  explanation.standing = verdict.standing;
  explanation.why = verdict.why;
  explanation.totals_held = verdict.totals_held;
  explanation.all_blocks = evaluation.is_complete;
  if (access == nullptr || !verdict.agrees) return explanation;
  for (const Origin& origin : access->origins) {
    const bool is_load =
        origin.kind == Origin::Kind::kLoaded || origin.kind == Origin::Kind::kAtomic;
    if (is_load) explanation.data_lines.push_back(function.instructions[origin.place].line);
  }
  explanation.fact = FactOf(*access, counted, all, evaluation);
  return explanation;
}

AddressFact Explanations::FactOf(const EvaluatedAccess& access, const Counted& counted,
                                 const ByInstruction& all,
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
      fact.reach = address::Reach{Bytes(access.span), Bytes(access.turns ? step : 0)};
    }
  }
  const address::LanePart part = lanes_->Of(access.instruction);
  fact.step_of_run = fact.step_of_run || (part.kind == address::LanePart::Kind::kOfRun &&
                                          !part.StepInBytes().has_value());
  // Who was counted, of the same kind: what a store writes is not there for a load.
  fact.siblings.emplace();
  for (const auto& [instruction, other] : all) {
    if (instruction == access.instruction || other.kind != counted.kind) continue;
    if (other.counts.requests == Requests(0)) continue;
    const EvaluatedAccess* its = evaluation.Find(instruction);
    if (its == nullptr) continue;
    if (const auto distance = DistanceOf(access, *its)) {
      fact.siblings->push_back({ByteStep(*distance), other.width});
    }
  }
  return fact;
}

std::string Explanations::FormulaAt(PcOffset pc, const address::FormulaNames& names) const {
  if (!formulas_) return {};
  const address::Formula* formula = formulas_->Of(InstructionAt(pc));
  return formula == nullptr || formulas_->HasUnknownPart(*formula)
             ? std::string()
             : address::Words(*formulas_, *formula, names);
}

std::string Explanations::LanesAt(PcOffset pc, Bytes width,
                                  const address::FormulaNames& names) const {
  if (!lanes_ || InstructionAt(pc) == ptx::kNone) return {};
  return address::LaneWords(*formulas_, lanes_->Of(InstructionAt(pc)), width, names);
}

const Explanation* Explanations::At(PcOffset pc,
                                    const std::optional<recording::Dim3>& block) const {
  const std::uint32_t instruction = InstructionAt(pc);
  const Explanation* any = &nothing_;
  for (const Launch& launch : launches_) {
    const auto found = launch.explanations.find(instruction);
    if (found == launch.explanations.end()) continue;
    if (block && launch.block == *block) return &found->second;
    if (any == &nothing_) any = &found->second;
  }
  return any;
}

}  // namespace coalcheck::findings
