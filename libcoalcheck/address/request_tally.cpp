// SPDX-License-Identifier: Apache-2.0
//
// Counts the sectors of each request, and keeps the shapes that requests have.
#include "libcoalcheck/address/request_tally.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libcoalcheck/ptx/slice.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::address {
namespace {

constexpr std::size_t kMostShapes = 24;  // of one access

Sums CountedSums(const Request& request, std::uint32_t width) {
  sectors::WarpRequest warp;
  warp.active = request.active;
  warp.width = width;
  // Symbols that all lanes share are taken to be multiples of a line: the caller says so.
  warp.address = request.addresses.bits;
  for (std::uint64_t& address : warp.address) address &= ~std::uint64_t{0} >> 1U;
  return SumsOf(sectors::Count(warp));
}

// Sectors that lanes touch whose addresses have one unknown part, a multiple of `step` bytes.
std::uint64_t MostOfGroup(const Request& request, LaneMask group, std::uint64_t step,
                          std::uint32_t width) {
  sectors::WarpRequest warp;
  warp.active = group;
  warp.width = width;
  std::uint64_t most = 0;
  for (std::uint64_t shift = 0; shift < kSectorSize.count(); shift += step) {
    EachLane(group, [&](std::uint32_t lane) {
      warp.address[lane] = (request.addresses.bits[lane] + shift) & ~std::uint64_t{0} >> 1U;
    });
    most = std::max(most, sectors::Count(warp).sectors.count());
  }
  return most;
}

// Sectors of one request, wherever its unknown parts lie; lanes that have different ones meet in no
// sector.
double MostSectors(const Request& request, std::uint32_t width, const Unknowns& unknowns) {
  std::uint64_t most = 0;
  for (LaneMask rest = request.active; rest != 0;) {
    const Form form = request.addresses.FormAt(static_cast<std::uint32_t>(__builtin_ctz(rest)));
    LaneMask group = 0;
    EachLane(rest, [&](std::uint32_t lane) {
      if (request.addresses.FormAt(lane) == form) group |= LaneMask{1} << lane;
    });
    rest &= ~group;
    const std::uint64_t multiple = std::uint64_t{1} << std::min(unknowns.TrailingZeros(form), 5U);
    // No lane lies across two sectors: each is aligned to its width.
    const bool is_one = (group & (group - 1)) == 0 && width <= kSectorSize.count();
    most +=
        is_one ? 1 : MostOfGroup(request, group, std::max<std::uint64_t>(multiple, width), width);
  }
  return static_cast<double>(most);
}

// Between 1 and 2, with so few digits that sums of its multiples are exact.
double FactorOf(std::uint32_t instruction) {
  constexpr std::uint32_t kGolden = 0x9e3779b9;
  constexpr double kScale = 1 << 10U;
  return 1 + (instruction * kGolden >> 22U) / kScale;
}

}  // namespace

std::optional<std::uint64_t> RequestTally::Collected::ShiftOf(const Request& request) const {
  if (!request.addresses.is_known || !last.is_known || request.active != last_active ||
      last_active == 0) {
    return std::nullopt;
  }
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
  const std::uint64_t by = request.addresses.bits[first] - last.bits[first];
  std::uint64_t not_shifted = 0;
  EachLane(request.active, [&](std::uint32_t lane) {
    not_shifted |= (request.addresses.bits[lane] - last.bits[lane]) ^ by;
  });
  return not_shifted == 0 ? std::optional(by) : std::nullopt;
}

void RequestTally::Differences::Add(const Sums& block) {
  ++blocks;
  sectors_sectors += block.sectors * block.sectors;
  sectors_requests += block.sectors * block.requests;
  requests_requests += block.requests * block.requests;
  requests += block.requests;
}

double RequestTally::Differences::ErrorOf(double sectors_per_request) const {
  if (blocks < 2) return 0;
  const double squares = sectors_sectors - 2 * sectors_per_request * sectors_requests +
                         sectors_per_request * sectors_per_request * requests_requests;
  return std::sqrt(std::max(squares, 0.0) * blocks / (blocks - 1)) / requests;
}

void RequestTally::Collected::EndBlock() {
  differences.Add(block_sums);
  block_sums = {};
  if (block.is_empty) return;
  if (first_block.is_empty) first_block = block;
  blocks_alike = blocks_alike && first_block == block;
  block = {};
}

std::uint32_t RequestTally::WidthOf(const Request& request) const {
  if (request.width != 0) return request.width;
  const ptx::Function& function = program_.function();
  return ptx::WidthOf(function, function.instructions[request.instruction]);
}

Sums RequestTally::SumsAndShapeOf(const Request& request, std::optional<std::uint64_t> shift,
                                  Collected& all) {
  const std::uint32_t width = WidthOf(request);
  if (!shift) {
    all.by_phase.clear();
    all.lowest = ~std::uint64_t{0};
    EachLane(request.active, [&](std::uint32_t lane) {
      all.lowest = std::min(all.lowest, request.addresses.bits[lane]);
    });
    all.last_shape = ShapeOf(request, width, *unknowns_);
  } else {
    all.lowest += *shift;
    all.last_shape.phase = static_cast<std::uint32_t>(all.lowest % kSectorSize.count());
  }
  if (!request.addresses.is_known) return CountedSums(request, width);
  const auto [entry, is_new] = all.by_phase.try_emplace(all.lowest % kCacheLineSize.count());
  if (is_new) entry->second = CountedSums(request, width);
  return entry->second;
}

// The access, as its block begins if it is a new one.
RequestTally::Collected& RequestTally::Enter(std::uint32_t instruction) {
  const auto [entry, is_new] = accesses_.try_emplace(instruction);
  Collected& all = entry->second;
  if (is_new) {
    all.factor = FactorOf(instruction);
    all.by_stratum.resize(strata_);
  }
  if (all.block_number != place_.block && all.block_sums.requests > 0) all.EndBlock();
  all.block_number = place_.block;
  return all;
}

void RequestTally::Add(const Sums& sums, Collected& all) {
  all.by_stratum[place_.stratum].sums.Add(sums, place_.stands_for);
  block_sums_.requests += sums.requests * place_.stands_for;
  block_sums_.sectors += sums.sectors * place_.stands_for * all.factor;
  all.block_sums.Add(sums, place_.stands_for);
}

void RequestTally::TakeFilled(const Filled& filled) {
  Sums sums;
  sums.requests = filled.alone ? 1 : 0;
  sums.lanes = __builtin_popcount(filled.lanes);
  Collected& all = Enter(filled.instruction);
  Add(sums, all);
  if (!filled.alone) return;
  NoteTaking(filled.taking, all.by_stratum[place_.stratum]);
  NoteOrigins(filled.taking_origins, all);
}

void RequestTally::NoteTaking(Taking taking, Tally& tally) const {
  if (taking >= Taking::kLaneOpen) tally.lane_open += place_.stands_for;
  if (taking == Taking::kWarpOpen) tally.warp_open += place_.stands_for;
}

void RequestTally::NoteOrigins(Origins origins, Collected& all) const {
  for (const Origin& origin : unknowns_->List(origins)) {
    if (std::ranges::find(all.origins, origin) == all.origins.end()) all.origins.push_back(origin);
  }
}

void RequestTally::Take(const Request& request) {
  Collected& all = Enter(request.instruction);
  Tally& tally = all.by_stratum[place_.stratum];
  const std::optional<std::uint64_t> shift = all.ShiftOf(request);
  const Sums sums = SumsAndShapeOf(request, shift, all);
  const LaneShape& shape = all.last_shape;
  const bool is_known = request.addresses.is_known;
  all.most = std::max(all.most,
                      is_known ? sums.sectors : MostSectors(request, WidthOf(request), *unknowns_));
  const bool fits = tally.shapes.size() < kMostShapes || tally.shapes.contains(shape);
  if (fits) {
    tally.shapes[shape].Add(sums, place_.stands_for);
  } else {
    tally.other_shapes += place_.stands_for;
  }
  NoteTaking(request.taking, tally);
  NoteOrigins(request, all, tally);
  FollowTurns(request, shift, all);
  FollowBlocks(request, all);
  Add(sums, all);
  if (all.samples.size() < samples_) {
    all.samples.push_back(
        {place_.block, place_.warp, request.turn, request.active, request.addresses});
  }
}

bool RequestTally::EndBlock() {
  const auto [first, is_first] = of_stratum_.try_emplace(place_.stratum, block_sums_);
  if (!is_first) {
    blocks_equal_ = blocks_equal_ && first->second == block_sums_;
  }
  block_sums_ = {};
  return blocks_equal_;
}

void RequestTally::NoteOrigins(const Request& request, Collected& all, Tally& tally) {
  Origins origins = request.taking_origins;
  bool by_data = false;
  bool variable = false;
  if (!request.addresses.is_known) {
    Form last = kNoForm;
    EachLane(request.active, [&](std::uint32_t lane) {
      const Form form = request.addresses.FormAt(lane);
      if (form == last) return;
      last = form;
      const Origins of_form = unknowns_->OriginsOf(form);
      origins = unknowns_->Join(origins, of_form);
      for (const Origin& origin : unknowns_->List(of_form)) {
        variable = variable || origin.kind == Origin::Kind::kVariable;
        by_data = by_data || (origin.kind != Origin::Kind::kVariable &&
                              origin.kind != Origin::Kind::kParameter);
      }
    });
  }
  if (by_data) tally.by_data += place_.stands_for;
  if (variable) tally.variable_base += place_.stands_for;
  NoteOrigins(origins, all);
}

void RequestTally::FollowTurns(const Request& request, std::optional<std::uint64_t> shift,
                               Collected& all) {
  if (request.turn > 0 && shift) {
    const auto step = static_cast<std::int64_t>(*shift);
    all.turns = true;
    if (!all.has_step) all.turn_step = step;
    all.has_step = true;
    all.step_differs = all.step_differs || step != all.turn_step;
  } else if (request.turn > 0) {
    all.turns = true;
    EachLane(request.active & all.last_active, [&](std::uint32_t lane) {
      const Value now = request.addresses.At(lane);
      const Value before = all.last.At(lane);
      const auto step = static_cast<std::int64_t>(now.bits - before.bits);
      if (!all.has_step) all.turn_step = step;
      all.has_step = true;
      all.step_differs = all.step_differs || now.form != before.form || step != all.turn_step;
    });
  }
  all.last = request.addresses;
  all.last_active = request.active;
}

void RequestTally::FollowBlocks(const Request& request, Collected& all) const {
  const bool is_settled = !all.blocks_alike && !all.first_block.is_empty;
  if (request.turn > 0 || request.active == 0 || is_settled) return;
  all.blocks_alike = all.blocks_alike && request.addresses.is_known;
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  EachLane(request.active, [&](std::uint32_t lane) {
    low = std::min(low, request.addresses.bits[lane]);
    high = std::max(high, request.addresses.bits[lane]);
  });
  all.block.Include(low);
  all.block.Include(high);
}

EvaluatedAccess RequestTally::FinishOne(std::uint32_t instruction, Collected& all,
                                        const std::vector<double>& weights) {
  EvaluatedAccess access;
  access.instruction = instruction;
  Tally total;
  for (std::size_t i = 0; i < all.by_stratum.size(); ++i) {
    total.Add(all.by_stratum[i], weights[i]);
  }
  access.sums = total.sums;
  access.most = all.most;
  access.by_data = total.by_data;
  access.lane_open = total.lane_open;
  access.warp_open = total.warp_open;
  access.variable_base = total.variable_base;
  access.other_shapes = total.other_shapes;
  for (const auto& [shape, sums] : total.shapes) access.shapes.push_back({shape, sums});
  std::ranges::stable_sort(access.shapes, [](const ShapeShare& a, const ShapeShare& b) {
    return a.sums.requests > b.sums.requests;
  });
  std::ranges::sort(all.origins);
  access.origins = std::move(all.origins);
  access.samples = std::move(all.samples);
  access.turns = all.turns;
  access.has_turn_step = all.turns && !all.step_differs;
  access.turn_step = all.turn_step;
  if (all.block_sums.requests > 0) all.EndBlock();
  access.error = all.differences.ErrorOf(access.sums.sectors / access.sums.requests);
  access.blocks_alike = all.blocks_alike;
  access.span = all.first_block.high - all.first_block.low;
  return access;
}

std::vector<EvaluatedAccess> RequestTally::Finish(const std::vector<double>& weights) {
  std::vector<EvaluatedAccess> accesses;
  for (auto& [instruction, all] : accesses_) {
    accesses.push_back(FinishOne(instruction, all, weights));
  }
  std::ranges::sort(accesses, {}, &EvaluatedAccess::instruction);
  return accesses;
}

}  // namespace coalcheck::address
