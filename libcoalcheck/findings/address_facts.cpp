// SPDX-License-Identifier: Apache-2.0
//
// Says only what is certain: a step between lanes, an offset, a sibling that the expression does
// not settle stays open, and the counts decide.
#include "libcoalcheck/findings/address_facts.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "libcoalcheck/base/units.h"

namespace coalcheck::findings {
namespace {

using address::AddressExpression;
using address::Factor;
using address::FactorKind;
using address::LaneDependence;
using address::Term;
using patterns::AddressFact;
using patterns::ByteStep;

// Every pair is compared: functions with more accesses than that keep their siblings to themselves.
constexpr std::size_t kMostCompared = 256;
constexpr std::int64_t kSector = static_cast<std::int64_t>(kSectorSize.count());

struct Row {
  std::int64_t step = 0;
  std::uint64_t lanes = 0;
};

// A first warp's lanes as rows of equal steps; empty when they are none.
std::optional<Row> RowOf(const std::vector<std::int64_t>& offsets) {
  if (offsets.size() != kWarpSize) return std::nullopt;
  Row row{offsets[1] - offsets[0], 1};
  while (row.lanes < offsets.size() && offsets[row.lanes] - offsets[row.lanes - 1] == row.step) {
    ++row.lanes;
  }
  for (std::size_t lane = 0; lane < offsets.size(); ++lane) {
    const std::size_t in_row = lane % row.lanes;
    const auto from_start = static_cast<std::int64_t>(in_row) * row.step;
    if (offsets[lane] - offsets[lane - in_row] != from_start) return std::nullopt;
  }
  return row;
}

bool IsPointer(const Term& term) {
  return term.coefficient == 1 && term.factors.size() == 1 &&
         term.factors[0].kind == FactorKind::kParameter;
}

// What the term brings to the address of a warp's first lane, modulo a sector, if that is the same
// for all warps. Whatever the other factors are, they are whole numbers.
std::optional<std::int64_t> ShareOf(const Term& term, const recording::Dim3& block) {
  std::int64_t known = term.coefficient % kSector;
  bool others = false;
  for (const Factor& factor : term.factors) {
    if (factor.kind == FactorKind::kBlockDim) {
      const std::uint32_t sizes[] = {block.x, block.y, block.z};
      known = known * static_cast<std::int64_t>(sizes[factor.number % 3] % kSector) % kSector;
    } else if (factor.kind == FactorKind::kThreadIdx && factor.number == 0 &&
               block.x % kWarpSize == 0) {
      return 0;  // a warp begins at a multiple of 32 threads
    } else {
      others = true;
    }
  }
  if (others && known != 0) return std::nullopt;
  return others ? 0 : known;
}

std::optional<Bytes> OffsetOf(const AddressExpression& address, const recording::Dim3& block) {
  if (std::ranges::count_if(address.sum.terms, IsPointer) != 1) return std::nullopt;
  std::int64_t offset = address.sum.constant % kSector;
  for (const Term& term : address.sum.terms) {
    if (IsPointer(term)) continue;
    const std::optional<std::int64_t> share = ShareOf(term, block);
    if (!share) return std::nullopt;
    offset += *share;
  }
  return Bytes(static_cast<std::uint64_t>((offset % kSector + kSector) % kSector));
}

bool HasRounds(const Term& term) {
  return std::ranges::any_of(
      term.factors, [](const Factor& factor) { return factor.kind == FactorKind::kRounds; });
}

// Of nested loops it is not known which one turns first.
std::optional<ByteStep> LoopStepOf(const AddressExpression& address) {
  std::optional<ByteStep> step = ByteStep(0);
  for (const Term& term : address.sum.terms) {
    if (!HasRounds(term)) continue;
    if (step != ByteStep(0) || term.factors.size() != 1) return std::nullopt;
    step = ByteStep(term.coefficient);
  }
  return step;
}

// Whether a parameter or the launch decides it.
bool IsOfRun(const Term& term) {
  return std::ranges::any_of(term.factors, [](const Factor& factor) {
    return factor.kind == FactorKind::kParameter || factor.kind == FactorKind::kConstant ||
           factor.kind == FactorKind::kBlockDim || factor.kind == FactorKind::kGridDim ||
           factor.kind == FactorKind::kOfRun;
  });
}

// The step from lane to lane as far as it is a number, or a parameter's affair.
void AddSteps(const AddressExpression& address, const recording::Dim3& block, AddressFact& fact) {
  const auto offsets = address::LaneOffsets(address, {block.x, block.y, block.z}, 0);
  const std::optional<Row> row = offsets ? RowOf(*offsets) : std::nullopt;
  if (!row) {
    const auto step = offsets ? std::nullopt : address::StepInX(address);
    if (step) fact.form = AddressFact::Form::kAffine;
    fact.step_of_run = step && !step->bytes && std::ranges::all_of(step->sum.terms, IsOfRun);
    return;
  }
  fact.form = AddressFact::Form::kAffine;
  fact.lane_step = ByteStep(row->step);
  fact.row_lanes = Lanes(row->lanes);
  fact.offset = OffsetOf(address, block);
}

}  // namespace

AddressFacts::AddressFacts(std::span<const cubin::GlobalAccess> accesses,
                           std::vector<address::ExplainedAccess> explained) {
  for (const cubin::GlobalAccess& access : accesses) {
    const auto found =
        std::ranges::lower_bound(explained, access.pc, {}, &address::ExplainedAccess::pc);
    if (found == explained.end() || found->pc != access.pc) continue;
    accesses_.push_back({access.pc, access.kind, access.width, std::move(found->address)});
  }
}

// Of one kind: what a store writes is not there for a load of the same warp.
std::optional<std::vector<patterns::Sibling>> AddressFacts::SiblingsOf(const Access& access) const {
  if (accesses_.size() > kMostCompared) return std::nullopt;
  std::vector<patterns::Sibling> siblings;
  for (const Access& other : accesses_) {
    if (other.pc == access.pc || other.kind != access.kind) continue;
    if (other.address.lanes == LaneDependence::kNotKnown) return std::nullopt;
    const auto distance = address::ConstantDistance(access.address, other.address);
    if (distance) siblings.push_back({ByteStep(*distance), other.width});
  }
  return siblings;
}

const AddressExpression* AddressFacts::ExpressionAt(PcOffset pc) const {
  const auto found = std::ranges::lower_bound(accesses_, pc, {}, &Access::pc);
  return found == accesses_.end() || found->pc != pc ? nullptr : &found->address;
}

AddressFact AddressFacts::Of(PcOffset pc, const std::optional<recording::Dim3>& block) const {
  AddressFact fact;
  const auto found = std::ranges::lower_bound(accesses_, pc, {}, &Access::pc);
  if (found == accesses_.end() || found->pc != pc) return fact;
  const AddressExpression& address = found->address;
  if (address.lanes == LaneDependence::kLoaded) {
    fact.form = AddressFact::Form::kLoaded;
    if (!address.loads.empty()) fact.load = address.loads.front();
    return fact;
  }
  if (!address::IsExplained(address) || !block) return fact;
  AddSteps(address, *block, fact);
  if (fact.form != AddressFact::Form::kAffine) return fact;
  fact.siblings = SiblingsOf(*found);
  fact.loop_step = LoopStepOf(address);
  fact.reach = address::ReachOfGrid(address, {block->x, block->y, block->z});
  return fact;
}

}  // namespace coalcheck::findings
