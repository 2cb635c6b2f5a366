// SPDX-License-Identifier: Apache-2.0
//
// Chooses blocks, runs their warps and adds up what they ask for.
#include "libcoalcheck/address/launch_evaluation.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "libcoalcheck/address/block_choice.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::address {
namespace {

constexpr std::size_t kMostShapes = 24;  // of one access
// Symbols are forgotten between warps when there are that many.
// Rounds of each loop where a warp takes more steps than it may: the first cut, and the last.
constexpr std::uint32_t kCutRounds = 32;
constexpr std::uint32_t kFewestRounds = 2;
// Of a grid whose blocks all ask for as much.
constexpr std::uint64_t kEnoughBlocks = 32;
constexpr std::size_t kManyForms = 1U << 14U;

bool IsTooLong(WarpEnd end) {
  return end == WarpEnd::kOutOfSteps || end == WarpEnd::kTooManyUnknowns;
}

Sums SumsOf(const Request& request, std::uint32_t width) {
  sectors::WarpRequest warp;
  warp.active = request.active;
  warp.width = width;
  // Symbols that all lanes share are taken to be multiples of a line: the caller says so.
  warp.address = request.addresses.bits;
  for (std::uint64_t& address : warp.address) address &= ~std::uint64_t{0} >> 1U;
  const sectors::RequestCounts counts = sectors::Count(warp);
  return {1, static_cast<double>(counts.lanes.count()), static_cast<double>(counts.sectors.count()),
          static_cast<double>(counts.ideal_sectors.count()),
          static_cast<double>(counts.lines.count())};
}

// What one access asked for in blocks that stand for the same others.
struct Tally {
  Sums sums;
  double by_data = 0;
  double lane_open = 0;
  double warp_open = 0;
  double variable_base = 0;
  double other_shapes = 0;
  std::map<LaneShape, Sums> shapes;

  void Add(const Tally& other, double times) {
    sums.Add(other.sums, times);
    by_data += other.by_data * times;
    lane_open += other.lane_open * times;
    warp_open += other.warp_open * times;
    variable_base += other.variable_base * times;
    other_shapes += other.other_shapes * times;
    for (const auto& [shape, its] : other.shapes) shapes[shape].Add(its, times);
  }
};

// Addresses from the lowest to the highest.
struct Hull {
  bool is_empty = true;
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  void Include(std::uint64_t address) {
    low = is_empty ? address : std::min(low, address);
    high = is_empty ? address : std::max(high, address);
    is_empty = false;
  }
  friend bool operator==(const Hull&, const Hull&) = default;
};

// All of one access, over every block.
struct Collected {
  std::vector<Tally> by_stratum;
  std::vector<Origin> origins;
  std::vector<RequestSample> samples;
  LaneValues last;  // addresses of the request before
  LaneMask last_active = 0;
  Sums last_sums;
  LaneShape last_shape;
  bool turns = false;
  bool step_differs = false;
  std::int64_t turn_step = 0;
  bool has_step = false;
  // What one block asks for in its first turn: the first block's, and the present one's.
  Hull first_block;
  Hull block;
  std::uint64_t block_number = ~std::uint64_t{0};
  bool blocks_alike = true;

  // Whether the request is the one before, all of it further by whole lines.
  bool IsShifted(const Request& request) const {
    if (!request.addresses.is_known || !last.is_known || request.active != last_active ||
        last_active == 0) {
      return false;
    }
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
    const std::uint64_t by = request.addresses.bits[first] - last.bits[first];
    bool is_shifted = by % kCacheLineSize.count() == 0;
    EachLane(request.active, [&](std::uint32_t lane) {
      is_shifted = is_shifted && request.addresses.bits[lane] - last.bits[lane] == by;
    });
    return is_shifted;
  }

  void EndBlock() {
    if (block.is_empty) return;
    if (first_block.is_empty) first_block = block;
    blocks_alike = blocks_alike && first_block == block;
    block = {};
  }
};

class Collector : public RequestSink {
 public:
  Collector(const Program& program, std::size_t strata, std::uint32_t samples)
      : program_(program), strata_(strata), samples_(samples) {}

  void Begin(Unknowns& unknowns, std::size_t stratum, std::uint64_t block, std::uint32_t warp) {
    unknowns_ = &unknowns;
    stratum_ = stratum;
    block_ = block;
    warp_ = warp;
  }

  void Take(const Request& request) override {
    Collected& all = accesses_[request.instruction];
    all.by_stratum.resize(strata_);
    Tally& tally = all.by_stratum[stratum_];
    const ptx::Function& function = program_.function();
    if (!all.IsShifted(request)) {
      all.last_sums =
          SumsOf(request, WidthOf(function, function.instructions[request.instruction]));
      all.last_shape = ShapeOf(request, *unknowns_);
    }
    const Sums& sums = all.last_sums;
    const LaneShape& shape = all.last_shape;
    tally.sums.Add(sums);
    block_sums_.Add(sums);
    const bool fits = tally.shapes.size() < kMostShapes || tally.shapes.contains(shape);
    if (fits) {
      tally.shapes[shape].Add(sums);
    } else {
      ++tally.other_shapes;
    }
    if (request.taking == Taking::kLaneOpen) ++tally.lane_open;
    if (request.taking == Taking::kWarpOpen) ++tally.warp_open;
    NoteOrigins(request, all, tally);
    FollowTurns(request, all);
    FollowBlocks(request, all);
    if (all.samples.size() < samples_) {
      all.samples.push_back({block_, warp_, request.turn, request.active, request.addresses});
    }
  }

  // Whether all blocks so far asked for as much as the first of their stratum.
  bool EndBlock() {
    const auto [first, is_first] = of_stratum_.try_emplace(stratum_, block_sums_);
    if (!is_first) {
      blocks_equal_ = blocks_equal_ && first->second.requests == block_sums_.requests &&
                      first->second.sectors == block_sums_.sectors;
    }
    block_sums_ = {};
    return blocks_equal_;
  }

  absl::flat_hash_map<std::uint32_t, Collected>& accesses() { return accesses_; }

 private:
  void NoteOrigins(const Request& request, Collected& all, Tally& tally) {
    Origins origins = request.taking_origins;
    bool by_data = false;
    bool variable = false;
    if (!request.addresses.is_known) {
      Form last = kNoForm;
      EachLane(request.active, [&](std::uint32_t lane) {
        const Form form = request.addresses.form[lane];
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
    if (by_data) ++tally.by_data;
    if (variable) ++tally.variable_base;
    for (const Origin& origin : unknowns_->List(origins)) {
      if (std::ranges::find(all.origins, origin) == all.origins.end())
        all.origins.push_back(origin);
    }
  }

  void FollowTurns(const Request& request, Collected& all) {
    if (request.turn > 0) {
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

  void FollowBlocks(const Request& request, Collected& all) {
    if (all.block_number != block_) all.EndBlock();
    all.block_number = block_;
    if (request.turn > 0) return;
    all.blocks_alike = all.blocks_alike && request.addresses.is_known;
    EachLane(request.active,
             [&](std::uint32_t lane) { all.block.Include(request.addresses.bits[lane]); });
  }

  const Program& program_;
  std::size_t strata_;
  std::uint32_t samples_;
  Unknowns* unknowns_ = nullptr;
  std::size_t stratum_ = 0;
  std::uint64_t block_ = 0;
  std::uint32_t warp_ = 0;
  absl::flat_hash_map<std::uint32_t, Collected> accesses_;
  Sums block_sums_;                                    // of the present block, over all accesses
  absl::flat_hash_map<std::size_t, Sums> of_stratum_;  // of the first block of each
  bool blocks_equal_ = true;
};

EvaluatedAccess Finish(std::uint32_t instruction, Collected& all,
                       const std::vector<double>& weights) {
  EvaluatedAccess access;
  access.instruction = instruction;
  Tally total;
  for (std::size_t i = 0; i < all.by_stratum.size(); ++i) {
    total.Add(all.by_stratum[i], weights[i]);
  }
  access.sums = total.sums;
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
  all.EndBlock();
  access.blocks_alike = all.blocks_alike;
  access.span = all.first_block.high - all.first_block.low;
  return access;
}

}  // namespace

std::uint32_t WidthOf(const ptx::Function& function, const ptx::Instruction& one) {
  if (one.code.op == ptx::Op::kCpAsync) {
    const auto operands = function.OperandsOf(one);
    const bool says = operands.size() > 2 && operands[2].kind == ptx::Operand::Kind::kImmediate;
    return says ? static_cast<std::uint32_t>(operands[2].value & 0x1f) : 0;
  }
  return std::uint32_t{one.code.type.bytes} * one.code.vector;
}

void Sums::Add(const Sums& other, double times) {
  requests += other.requests * times;
  lanes += other.lanes * times;
  sectors += other.sectors * times;
  ideal += other.ideal * times;
  lines += other.lines * times;
}

const EvaluatedAccess* LaunchEvaluation::Find(std::uint32_t instruction) const {
  const auto found =
      std::ranges::lower_bound(accesses, instruction, {}, &EvaluatedAccess::instruction);
  return found == accesses.end() || found->instruction != instruction ? nullptr : &*found;
}

LaunchEvaluation Evaluate(const Program& program, const LaunchValues& launch,
                          const EvaluationLimits& limits, RequestFilter* filter) {
  LaunchEvaluation result;
  BlockChoice blocks(launch.grid);
  result.blocks = blocks.count();
  // A warp may take an eighth; where one takes more, loops are cut short from there on.
  std::uint64_t left = limits.steps;
  std::uint64_t of_warp = 0;
  std::uint32_t rounds = 0;  // that loops are cut to; 0: they are not
  Collector collector(program, BlockChoice::kStrata, limits.samples);
  std::unique_ptr<Unknowns> unknowns;
  std::unique_ptr<Warp> runner;
  const auto renew = [&] {
    unknowns = std::make_unique<Unknowns>();
    runner = std::make_unique<Warp>(program, launch, *unknowns, of_warp);
    if (rounds != 0) runner->LimitRounds(rounds);
  };
  renew();
  const auto run = [&](Extent index, std::uint32_t warp) {
    if (filter == nullptr) return runner->Run(index, warp, collector);
    filter->Begin(collector);
    const WarpEnd end = runner->Run(index, warp, *filter);
    filter->End();
    return end;
  };
  const std::uint64_t warps = (launch.block.count() + kWarpSize - 1) / kWarpSize;
  constexpr std::uint64_t kMostWarps = 32;  // of a block: no GPU takes more
  while (result.end == WarpEnd::kDone) {
    const auto block = blocks.Next();
    if (!block) break;
    for (std::uint32_t warp = 0; warp < std::min(warps, kMostWarps); ++warp) {
      if (unknowns->size() > kManyForms) renew();
      collector.Begin(*unknowns, block->stratum, block->number, warp);
      std::uint64_t may_take =
          std::min(left, limits.of_warp == 0 ? limits.steps / 8 : limits.of_warp);
      of_warp = may_take;
      WarpEnd end = run(block->index, warp);
      left -= may_take - of_warp;
      result.has_open_rounds = result.has_open_rounds || runner->has_open_rounds();
      // What it asked for until then counts, and so does what the shorter rounds come to.
      while (IsTooLong(end) && rounds != kFewestRounds && left > 0) {
        rounds = rounds == 0 ? kCutRounds : rounds / 4;
        renew();
        collector.Begin(*unknowns, block->stratum, block->number, warp);
        of_warp = may_take =
            std::min(left, limits.of_warp == 0 ? limits.steps / 8 : limits.of_warp);
        end = run(block->index, warp);
        left -= may_take - of_warp;
      }
      if (end == WarpEnd::kDone) continue;
      result.end = end;
      break;
    }
    blocks.Count(block->stratum);
    ++result.blocks_evaluated;
    // Where all do the same, and all of them are too many, some are enough.
    const bool are_alike = collector.EndBlock() && blocks.CoversAll();
    const std::uint64_t for_all = (limits.steps - left) / result.blocks_evaluated * result.blocks;
    if (are_alike && result.blocks_evaluated >= kEnoughBlocks && for_all > limits.steps) break;
  }
  result.steps = limits.steps - left;
  result.is_cut = rounds != 0;
  result.is_complete =
      result.end == WarpEnd::kDone && rounds == 0 && result.blocks_evaluated == result.blocks;
  result.covers = blocks.CoversAll();
  const std::vector<double> weights = blocks.Weights();
  for (auto& [instruction, all] : collector.accesses()) {
    result.accesses.push_back(Finish(instruction, all, weights));
  }
  std::ranges::sort(result.accesses, {}, &EvaluatedAccess::instruction);
  return result;
}

}  // namespace coalcheck::address
