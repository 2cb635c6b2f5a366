// SPDX-License-Identifier: Apache-2.0
//
// The step between lanes, who lies beside an access, and how far a loop takes it.
#include "libcoalcheck/findings/explaining/formula_facts.h"

#include <cstddef>

namespace coalcheck::findings {
namespace {

using address::LanePart;
using patterns::AddressFact;
using patterns::ByteStep;

// Every pair is compared: functions with more accesses than that keep their siblings to themselves.
constexpr std::size_t kMostCompared = 256;

// A formula takes warps to lie along x.
bool LiesAlongWarps(const std::optional<recording::Dim3>& block) {
  return block && block->x > 0 && block->x % kWarpSize == 0;
}

void AddLanes(const LanePart& lanes, bool along_warps, AddressFact& fact) {
  const bool is_same = lanes.kind == LanePart::Kind::kNone;
  if (lanes.kind == LanePart::Kind::kLoaded) fact.form = AddressFact::Form::kLoaded;
  if (!is_same && (!along_warps || !lanes.step)) return;
  if (is_same) {
    fact.lane_step = ByteStep(0);
  } else if (const auto step = lanes.StepInBytes()) {
    fact.lane_step = ByteStep(*step);
  }
  fact.step_of_run = !fact.lane_step;
  fact.form = AddressFact::Form::kAffine;
}

std::optional<ByteStep> LoopStep(const address::AccessFormulas& formulas,
                                 std::uint32_t instruction) {
  const ptx::ControlFlow& flow = formulas.flow();
  const std::uint32_t loop = flow.blocks()[flow.BlockOf(instruction)].loop;
  if (loop == ptx::kNone) return ByteStep(0);
  const auto step = address::StepOfLoop(formulas.formulas(), *formulas.Of(instruction), loop);
  const auto bytes = step ? step->constant() : std::nullopt;
  return bytes ? std::optional(ByteStep(static_cast<std::int64_t>(*bytes))) : std::nullopt;
}

// Of one kind: what a store writes is not there for a load. Who was never executed uses nothing.
std::optional<std::vector<patterns::Sibling>> SiblingsOf(const address::AccessFormulas& formulas,
                                                         std::uint32_t instruction,
                                                         const CountsOfPtx& counted) {
  const auto self = counted.find(instruction);
  if (self == counted.end() || counted.size() > kMostCompared) return std::nullopt;
  const address::Formula& formula = *formulas.Of(instruction);
  std::vector<patterns::Sibling> siblings;
  for (const auto& [other, its] : counted) {
    const bool is_alike = its.kind == self->second.kind && its.counts.requests > Requests(0);
    if (other == instruction || !is_alike) continue;
    const address::Formula* lies = formulas.Of(other);
    if (lies == nullptr) return std::nullopt;
    if (const auto distance = address::ConstantDistance(formula, *lies)) {
      siblings.push_back({ByteStep(*distance), its.width});
    }
  }
  return siblings;
}

}  // namespace

AddressFact FactOfFormula(const address::AccessFormulas& formulas, std::uint32_t instruction,
                          const std::optional<recording::Dim3>& block, const CountsOfPtx& counted) {
  AddressFact fact;
  AddLanes(formulas.LanesOf(instruction), LiesAlongWarps(block), fact);
  if (fact.form != AddressFact::Form::kAffine) return fact;
  fact.siblings = SiblingsOf(formulas, instruction, counted);
  fact.loop_step = LoopStep(formulas, instruction);
  return fact;
}

}  // namespace coalcheck::findings
