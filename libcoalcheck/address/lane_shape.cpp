// SPDX-License-Identifier: Apache-2.0
//
// Looks for the most frequent step between neighbours, and cuts rows where it does not hold.
#include "libcoalcheck/address/lane_shape.h"

#include <algorithm>
#include <array>
#include <optional>

namespace coalcheck::address {
namespace {

// The active lanes, ascending, with what each has.
struct Active {
  std::array<std::uint32_t, kWarpSize> lane{};
  std::array<std::uint64_t, kWarpSize> bits{};
  std::array<Form, kWarpSize> form{};
  std::uint32_t count = 0;
};

Active ActiveOf(const Request& request) {
  Active active;
  EachLane(request.active, [&](std::uint32_t lane) {
    active.lane[active.count] = lane;
    active.bits[active.count] = request.addresses.bits[lane];
    active.form[active.count] = request.addresses.FormAt(lane);
    ++active.count;
  });
  return active;
}

using Steps = std::array<std::optional<std::int64_t>, kWarpSize>;

// The step from each active lane to the next, per lane of distance; empty where it is no number.
Steps StepsOf(const Active& active) {
  Steps steps;
  for (std::uint32_t i = 1; i < active.count; ++i) {
    if (active.form[i] != active.form[i - 1]) continue;
    const auto apart = static_cast<std::int64_t>(active.bits[i] - active.bits[i - 1]);
    const auto lanes = static_cast<std::int64_t>(active.lane[i] - active.lane[i - 1]);
    if (lanes == 1) {
      steps[i] = apart;
    } else if (apart % lanes == 0) {
      steps[i] = apart / lanes;
    }
  }
  return steps;
}

// The step that most neighbours have; empty when no two have one.
std::optional<std::int64_t> CommonStep(const Steps& steps, std::uint32_t count) {
  std::optional<std::int64_t> best;
  std::uint32_t most = 0;
  for (std::uint32_t i = 1; i < count && 2 * most < count; ++i) {
    if (!steps[i] || steps[i] == best) continue;
    std::uint32_t votes = 0;
    for (std::uint32_t j = 1; j < count; ++j) votes += steps[j] == steps[i] ? 1 : 0;
    if (votes <= most) continue;
    most = votes;
    best = steps[i];
  }
  return best;
}

// Whether neighbours' forms differ by one and the same sum, of arguments alone.
bool StepsByLaunch(const Active& active, Unknowns& unknowns) {
  std::optional<Form> step;
  for (std::uint32_t i = 0; i < active.count; ++i) {
    for (const Origin& origin : unknowns.List(unknowns.OriginsOf(active.form[i]))) {
      if (origin.kind != Origin::Kind::kParameter) return false;
    }
    if (i == 0) continue;
    const Form back = unknowns.Scale(active.form[i - 1], ~std::uint64_t{0});
    const Form apart = unknowns.Add(active.form[i], back);
    if (step && apart != *step) return false;
    if (active.lane[i] != active.lane[i - 1] + 1) continue;
    step = apart;
  }
  return step.has_value();
}

bool IsOfData(const Unknowns& unknowns, Form form) {
  return std::ranges::any_of(unknowns.List(unknowns.OriginsOf(form)), [](const Origin& origin) {
    return origin.kind != Origin::Kind::kParameter && origin.kind != Origin::Kind::kVariable;
  });
}

}  // namespace

LaneShape ShapeOf(const Request& request, Unknowns& unknowns) {
  const Active active = ActiveOf(request);
  LaneShape shape;
  shape.is_partial = active.count < kWarpSize;
  bool one_form = true;
  for (std::uint32_t i = 0; i < active.count; ++i) {
    shape.begins_by_data = shape.begins_by_data || IsOfData(unknowns, active.form[i]);
    one_form = one_form && active.form[i] == active.form[0];
  }
  if (active.count == 0) return shape;
  shape.has_gaps = active.lane[active.count - 1] - active.lane[0] + 1 != active.count;
  if (!shape.begins_by_data) {
    const auto* const lowest =
        std::min_element(active.bits.begin(), active.bits.begin() + active.count);
    shape.phase = static_cast<std::uint32_t>(*lowest % kSectorSize.count());
  }
  if (active.count == 1) return shape;
  const Steps steps = StepsOf(active);
  const std::optional<std::int64_t> step = CommonStep(steps, active.count);
  if (!step) {
    const bool by_launch = !one_form && StepsByLaunch(active, unknowns);
    shape.kind = by_launch  ? LaneShape::Kind::kStepByLaunch
                 : one_form ? LaneShape::Kind::kIrregular
                            : LaneShape::Kind::kByData;
    return shape;
  }
  // Where rows begin, in lanes.
  std::array<std::uint32_t, kWarpSize> begins{};
  std::uint32_t rows = 1;
  begins[0] = active.lane[0];
  for (std::uint32_t i = 1; i < active.count; ++i) {
    if (steps[i] != step) begins[rows++] = active.lane[i];
  }
  shape.step = *step;
  if (rows == 1) {
    shape.kind = *step == 0 ? LaneShape::Kind::kSame : LaneShape::Kind::kStep;
    return shape;
  }
  // The first and the last row may be cut. Rows whose length is no whole number of lanes differ by
  // one; where there are two or three, the longest one tells the length.
  const std::uint32_t end = active.lane[active.count - 1] + 1;
  const std::uint32_t cut = std::max(begins[1] - begins[0], end - begins[rows - 1]);
  std::uint32_t shortest = kWarpSize;
  std::uint32_t row = rows <= 3 ? cut : 0;
  for (std::uint32_t i = 1; i + 1 < rows; ++i) {
    const std::uint32_t length = begins[i + 1] - begins[i];
    shortest = std::min(shortest, length);
    row = std::max(row, length);
  }
  const bool jumps_twice = rows == 3 && active.count >= 7;  // and has its step in most lanes
  const bool alike =
      rows == 2 || jumps_twice || (row - shortest <= 1 && shortest > 1 && cut <= row);
  if (!alike) {
    shape.kind = one_form ? LaneShape::Kind::kIrregular : LaneShape::Kind::kByData;
    shape.step = 0;
    return shape;
  }
  shape.kind = LaneShape::Kind::kRows;
  shape.row = row;
  return shape;
}

}  // namespace coalcheck::address
