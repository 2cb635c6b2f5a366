// SPDX-License-Identifier: Apache-2.0
//
// The shape that most requests have, and how far other accesses lie from one.
#include "libcoalcheck/findings/explaining/evaluated_facts.h"

#include <algorithm>
#include <optional>

#include "libcoalcheck/findings/explaining/confirm.h"

namespace coalcheck::findings {
namespace {

using address::EvaluatedAccess;
using address::LaneShape;
using address::Origin;
using address::RequestSample;
using patterns::AddressFact;
using patterns::ByteStep;

// Of two requests of one warp in the same turn: how far the second lies behind the first, if that
// is the same for all lanes.
std::optional<std::int64_t> Distance(const RequestSample& a, const RequestSample& b) {
  if (a.block != b.block || a.warp != b.warp || a.turn != b.turn) return std::nullopt;
  std::optional<std::int64_t> distance;
  bool is_one = (a.active & b.active) != 0;
  address::EachLane(a.active & b.active, [&](std::uint32_t lane) {
    const auto apart = static_cast<std::int64_t>(b.addresses.bits[lane] - a.addresses.bits[lane]);
    is_one = is_one && a.addresses.FormAt(lane) == b.addresses.FormAt(lane) &&
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

// How far every block reaches, where all do the same.
std::optional<patterns::Reach> ReachOf(const EvaluatedAccess& access) {
  const bool has_step = access.has_turn_step || !access.turns;
  if (!access.blocks_alike || access.by_data > 0 || !has_step) return std::nullopt;
  const auto turn = static_cast<std::uint64_t>(access.turn_step);
  const std::uint64_t step = access.turn_step < 0 ? 0 - turn : turn;
  return patterns::Reach{Bytes(access.span), Bytes(access.turns ? step : 0)};
}

}  // namespace

AddressFact FactsOfLaunch::FactOf(const EvaluatedAccess& access) const {
  AddressFact fact;
  fact.shapes = access.shapes;
  if (!access.shapes.empty()) AddLanes(access.shapes.front().shape, fact);
  if (!access.turns) fact.loop_step = ByteStep(0);
  if (access.has_turn_step) fact.loop_step = ByteStep(access.turn_step);
  if (fact.form == AddressFact::Form::kAffine) fact.reach = ReachOf(access);
  const address::LanePart part = formulas_.LanesOf(access.instruction);
  fact.step_of_run = fact.step_of_run || (part.kind == address::LanePart::Kind::kOfRun &&
                                          !part.StepInBytes().has_value());
  // Who shares its sectors is asked of what wastes some.
  const bool wastes = counted_.at(access.instruction).counts.Wasted() > Sectors(0);
  if (!wastes || counted_.size() > kMostPaired) return fact;
  // Who was counted, of the same kind: what a store writes is not there for a load.
  fact.siblings.emplace();
  const cubin::AccessKind kind = counted_.at(access.instruction).kind;
  for (const auto& [instruction, other] : counted_) {
    if (instruction == access.instruction || other.kind != kind) continue;
    if (other.counts.requests == Requests(0)) continue;
    const EvaluatedAccess* its = evaluation_.Find(instruction);
    if (its == nullptr) continue;
    if (const auto distance = DistanceOf(access, *its)) {
      fact.siblings->push_back({ByteStep(*distance), other.width});
    }
  }
  return fact;
}

void FactsOfLaunch::AddTo(const EvaluatedAccess& access, Explanation& explanation) const {
  // Arguments that were not recorded may make lanes differ in ways that only the formula names.
  const bool is_open =
      !IsOfData(access) && std::ranges::any_of(access.shapes, [](const address::ShapeShare& share) {
        return share.shape.kind == LaneShape::Kind::kByData;
      });
  if (is_open) return;
  for (const Origin& origin : access.origins) {
    if (origin.IsData()) explanation.data_lines.push_back(kernel_.instructions[origin.place].line);
  }
  explanation.fact = FactOf(access);
}

}  // namespace coalcheck::findings
