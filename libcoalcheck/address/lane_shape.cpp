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

// The step from each lane that takes part to the next that does, where these are as far from each
// other and ask for elements that lie side by side; empty where they do not.
std::optional<std::int64_t> PackedStep(const Active& active, std::uint32_t width) {
  const std::uint32_t lanes = active.lane[1] - active.lane[0];
  const auto step = static_cast<std::int64_t>(active.bits[1] - active.bits[0]);
  if (lanes == 1 || (step != width && step != -std::int64_t{width})) return std::nullopt;
  for (std::uint32_t i = 1; i < active.count; ++i) {
    const bool is_next = active.lane[i] - active.lane[i - 1] == lanes &&
                         active.form[i] == active.form[i - 1] &&
                         static_cast<std::int64_t>(active.bits[i] - active.bits[i - 1]) == step;
    if (!is_next) return std::nullopt;
  }
  return step;
}

// Where rows begin, in lanes.
struct Rows {
  std::array<std::uint32_t, kWarpSize> begins{};
  std::uint32_t count = 1;
};

Rows RowsOf(const Active& active, const Steps& steps, std::int64_t step) {
  Rows rows;
  rows.begins[0] = active.lane[0];
  for (std::uint32_t i = 1; i < active.count; ++i) {
    if (steps[i] != step) rows.begins[rows.count++] = active.lane[i];
  }
  return rows;
}

// The length of rows that are alike; empty where they are not. The first and the last row may be
// cut. Rows whose length is no whole number of lanes differ by one; where there are two or three,
// the longest one tells the length.
std::optional<std::uint32_t> LengthOf(const Rows& rows, const Active& active) {
  const std::uint32_t end = active.lane[active.count - 1] + 1;
  const std::uint32_t cut =
      std::max(rows.begins[1] - rows.begins[0], end - rows.begins[rows.count - 1]);
  std::uint32_t shortest = kWarpSize;
  std::uint32_t longest = rows.count <= 3 ? cut : 0;
  for (std::uint32_t i = 1; i + 1 < rows.count; ++i) {
    const std::uint32_t length = rows.begins[i + 1] - rows.begins[i];
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
  }
  const bool jumps_twice = rows.count == 3 && active.count >= 7;  // and has its step in most lanes
  const bool are_alike =
      rows.count == 2 || jumps_twice || (longest - shortest <= 1 && shortest > 1 && cut <= longest);
  return are_alike ? std::optional(longest) : std::nullopt;
}

void SetWithoutStep(const Active& active, bool is_one_form, Unknowns& unknowns, LaneShape& shape) {
  if (is_one_form) {
    shape.kind = LaneShape::Kind::kIrregular;
  } else {
    const bool by_launch = StepsByLaunch(active, unknowns);
    shape.kind = by_launch ? LaneShape::Kind::kStepByLaunch : LaneShape::Kind::kByData;
  }
}

void SetByStep(const Active& active, const Steps& steps, std::int64_t step, bool is_one_form,
               LaneShape& shape) {
  const Rows rows = RowsOf(active, steps, step);
  shape.step = step;
  if (rows.count == 1) {
    shape.kind = step == 0 ? LaneShape::Kind::kSame : LaneShape::Kind::kStep;
  } else if (const auto length = LengthOf(rows, active)) {
    shape.kind = LaneShape::Kind::kRows;
    shape.row = *length;
  } else {
    shape.kind = is_one_form ? LaneShape::Kind::kIrregular : LaneShape::Kind::kByData;
    shape.step = 0;
  }
}

}  // namespace

LaneShape ShapeOf(const Request& request, std::uint32_t width, Unknowns& unknowns) {
  const Active active = ActiveOf(request);
  LaneShape shape;
  shape.is_partial = active.count < kWarpSize;
  bool is_one_form = true;
  for (std::uint32_t i = 0; i < active.count; ++i) {
    shape.begins_by_data = shape.begins_by_data || IsOfData(unknowns, active.form[i]);
    is_one_form = is_one_form && active.form[i] == active.form[0];
  }
  if (active.count == 0) return shape;
  shape.has_gaps = active.lane[active.count - 1] - active.lane[0] + 1 != active.count;
  if (!shape.begins_by_data) {
    const auto* const lowest =
        std::min_element(active.bits.begin(), active.bits.begin() + active.count);
    shape.phase = static_cast<std::uint32_t>(*lowest % kSectorSize.count());
  }
  if (active.count == 1) return shape;
  if (const auto packed = PackedStep(active, width)) {
    shape.kind = LaneShape::Kind::kStep;
    shape.step = *packed;
    shape.has_gaps = false;
    return shape;
  }
  const Steps steps = StepsOf(active);
  if (const auto step = CommonStep(steps, active.count)) {
    SetByStep(active, steps, *step, is_one_form, shape);
  } else {
    SetWithoutStep(active, is_one_form, unknowns, shape);
  }
  return shape;
}

}  // namespace coalcheck::address
