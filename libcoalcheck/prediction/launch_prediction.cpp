// SPDX-License-Identifier: Apache-2.0
//
// Runs warps of some blocks and adds up what their requests cost at least and at most.
#include "libcoalcheck/prediction/launch_prediction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "libcoalcheck/address/block_choice.h"
#include "libcoalcheck/address/warp_runner.h"
#include "libcoalcheck/prediction/example_shapes.h"
#include "libcoalcheck/prediction/far_examples.h"
#include "libcoalcheck/prediction/lane_distance.h"
#include "libcoalcheck/prediction/request_range.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::prediction {
namespace {

using address::BlockChoice;
using address::Extent;
using address::LaunchValues;
using address::Program;
using address::Request;
using address::Sums;
using address::Unknowns;
using address::WarpEnd;

// Neighbours along x, so that all places in a sector are seen where a block's number shifts rows.
constexpr std::uint32_t kExampleBlocks = 8;
constexpr std::uint32_t kExampleWarps = 3;
// How many blocks are enough of a grid whose blocks all ask for as much.
constexpr std::uint32_t kEnoughBlocks = 16;
// How many blocks are run of a launch whose warps take long.
constexpr std::uint32_t kMostLongBlocks = 64;
// Of loops that run nobody knows how often, where two do not do.
constexpr std::uint8_t kFarRounds = 3;

// What one warp asked for.
struct OfWarp {
  AccessRange range;
  AccessRange open;  // the same where the rounds of loops are not known
  address::LaneValues last;
};

class WarpSink : public address::RequestSink {
 public:
  WarpSink(const Program& program, const UniformLoads& uniform, std::uint64_t& steps)
      : program_(program), uniform_(uniform), stores_(program, steps) {}

  void Begin(Unknowns& unknowns) {
    unknowns_ = &unknowns;
    accesses_.clear();
    stores_.Begin(unknowns);
    waiting_.clear();
  }

  // The warp has ended: what waited for its stores is judged.
  void End() {
    for (const Waiting& one : waiting_) Judge(one.request, one.step, &stores_);
    waiting_.clear();
  }

  void Take(const Request& request) override {
    OfWarp& all = accesses_[request.instruction];
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
    const std::uint64_t step =
        request.turn == 0 ? 0 : request.addresses.bits[first] - all.last.bits[first];
    all.last = request.addresses;
    if (!stores_.has_stores()) return Judge(request, step, nullptr);
    stores_.Note(request, WidthOf(request));
    if (WaitsForStores(request)) {
      waiting_.push_back({request, step});
    } else {
      Judge(request, step, nullptr);
    }
  }

  const std::map<std::uint32_t, OfWarp>& accesses() const { return accesses_; }
  // How many requests were judged, of all warps.
  std::uint64_t judged() const { return judged_; }

 private:
  struct Waiting {
    Request request;
    std::uint64_t step = 0;
  };
  static constexpr std::size_t kMostWaiting = 1024;

  std::uint32_t WidthOf(const Request& request) const {
    const ptx::Function& function = program_.function();
    return ptx::WidthOf(function, function.instructions[request.instruction]);
  }

  bool WaitsForStores(const Request& request) const {
    if (request.addresses.is_known || waiting_.size() >= kMostWaiting) return false;
    return !IsOneForm(request) && LaneDistanceOf(request, *unknowns_).has_value();
  }

  // `step`: bytes from its last turn to this.
  void Judge(const Request& request, std::uint64_t step, StoreFacts* stores) {
    ++judged_;
    OfWarp& all = accesses_[request.instruction];
    const std::uint32_t width = WidthOf(request);
    const RequestRange range = ranges_.Of(request, width, 0, *unknowns_, stores);
    Add(range, request, all.range);
    Add(step == 0 ? range : ranges_.Of(request, width, step, *unknowns_, stores), request,
        all.open);
  }

  void Add(RequestRange range, const Request& request, AccessRange& sum) const {
    if (request.taking >= address::Taking::kLaneOpen) {
      const bool is_apart = request.taking == address::Taking::kLanesApart;
      const bool is_own = is_apart || DependsOnOwnData(request);
      OpenLanes(request, is_own, range);
      // Of a single lane nothing is wasted.
      if (is_apart) range.least.ideal_sectors = range.least.sectors;
      if (is_own) AddOrigins(request.taking_origins, sum);
    }
    sum.least.Add(address::SumsOf(range.least));
    sum.most.Add(address::SumsOf(range.most));
    if (range.lanes_are_open) ++sum.lanes_open;
    sum.by_stores = sum.by_stores || range.by_stores;
    address::Form before = address::kNoForm;
    address::EachLane(request.active, [&](std::uint32_t lane) {
      const address::Form form = request.addresses.FormAt(lane);
      if (form == before) return;
      before = form;
      AddOrigins(unknowns_->OriginsOf(form), sum);
    });
  }

  // Whether lanes' own values decide who takes part that are loaded, or that an instruction gives
  // which is not computed. A value that all lanes load alike is a bound, and lets neighbours
  // through; so is how often a loop runs.
  bool DependsOnOwnData(const Request& request) const {
    return std::ranges::any_of(unknowns_->List(request.taking_origins),
                               [&](const address::Origin& origin) { return IsOfLane(origin); });
  }

  bool IsOfLane(const address::Origin& origin) const {
    const auto& instructions = program_.function().instructions;
    switch (origin.kind) {
      case address::Origin::Kind::kLoaded:
        return !uniform_.contains(instructions[origin.place].text.data());
      case address::Origin::Kind::kNotComputed:
        return origin.place != ptx::kNone && instructions[origin.place].code.op != ptx::Op::kBra;
      default:
        return origin.kind == address::Origin::Kind::kAtomic;
    }
  }

  // Loaded values let single lanes through: all of them, or one for each sector.
  void OpenLanes(const Request& request, bool is_own, RequestRange& range) const {
    const ptx::Function& function = program_.function();
    const Bytes width(ptx::WidthOf(function, function.instructions[request.instruction]));
    // Lanes at the edge may not ask for a sector.
    const bool is_at_edge = range.least.sectors - range.least.ideal_sectors <= Sectors(1);
    if (is_at_edge) range.least.ideal_sectors = range.least.sectors;
    if (!is_own) return;
    const Bytes each = std::min(width, kSectorSize);
    const Bytes bytes(each.count() * range.most.sectors.count());
    range.most.ideal_sectors =
        std::min(range.most.ideal_sectors, sectors::IdealSectors(bytes, range.most.sectors));
  }

  void AddOrigins(address::Origins origins, AccessRange& sum) const {
    for (const address::Origin& origin : unknowns_->List(origins)) {
      if (std::ranges::find(sum.origins, origin) == sum.origins.end()) {
        sum.origins.push_back(origin);
      }
    }
  }

  const Program& program_;
  const UniformLoads& uniform_;
  RequestRanges ranges_;
  StoreFacts stores_;
  std::vector<Waiting> waiting_;
  const Unknowns* unknowns_ = nullptr;
  std::map<std::uint32_t, OfWarp> accesses_;
  std::uint64_t judged_ = 0;
};

void AddTo(AccessRange& sum, const AccessRange& other, double times) {
  sum.least.Add(other.least, times);
  sum.most.Add(other.most, times);
  sum.lanes_open += other.lanes_open * times;
  sum.by_stores = sum.by_stores || other.by_stores;
  for (const address::Origin& origin : other.origins) {
    if (std::ranges::find(sum.origins, origin) == sum.origins.end()) sum.origins.push_back(origin);
  }
}

class Predictor {
 public:
  Predictor(const Program& program, const LaunchValues& launch, const UniformLoads& uniform,
            std::uint64_t& steps, address::WarpRunner::Most of_warp, bool takes_parts)
      : sink_(program, uniform, steps),
        runner_(program, launch, steps, of_warp),
        takes_parts_(takes_parts) {}

  // False where it took too long.
  bool RunWarp(Extent block, std::uint32_t warp, std::size_t stratum) {
    const WarpEnd end = runner_.Run([&](address::Warp& runner, Unknowns& unknowns) {
      sink_.Begin(unknowns);
      return runner.Run(block, warp, sink_);
    });
    sink_.End();
    has_open_rounds_ = has_open_rounds_ || runner_.warp().has_open_rounds();
    is_cut_ = is_cut_ || runner_.is_cut() || end != WarpEnd::kDone;
    const bool is_open = runner_.warp().has_open_rounds() && !runner_.is_cut();
    for (const auto& [instruction, one] : sink_.accesses()) {
      // Half of a warp's requests are better than none.
      const bool is_part = end != WarpEnd::kDone && !takes_parts_;
      if (is_part && accesses_.contains(instruction)) continue;
      auto& strata = accesses_[instruction];
      AddTo(strata[stratum], is_open ? one.open : one.range, 1);
      of_block_.Add(one.range.most);
    }
    return end == WarpEnd::kDone;
  }

  // Whether all blocks so far asked for as much as the first of their stratum.
  bool EndBlock(std::size_t stratum) {
    const auto [first, is_first] = first_blocks_.try_emplace(stratum, of_block_);
    are_alike_ = are_alike_ && first->second.requests == of_block_.requests &&
                 first->second.sectors == of_block_.sectors &&
                 first->second.ideal == of_block_.ideal;
    of_block_ = {};
    return are_alike_;
  }

  LaunchPrediction Result(const std::vector<double>& weights) && {
    LaunchPrediction result;
    result.has_open_rounds = has_open_rounds_;
    result.is_cut = is_cut_;
    result.symbols = runner_.symbols();
    result.judged = sink_.judged();
    for (const auto& [instruction, strata] : accesses_) {
      AccessRange& sum = result.accesses[instruction];
      for (std::size_t i = 0; i < strata.size(); ++i) AddTo(sum, strata[i], weights[i]);
    }
    return result;
  }

 private:
  WarpSink sink_;
  address::WarpRunner runner_;
  const bool takes_parts_;  // of all warps that took too long, and not only of the first
  Sums of_block_;           // of the present one, over all accesses
  std::map<std::size_t, Sums> first_blocks_;
  bool are_alike_ = true;
  bool has_open_rounds_ = false;
  bool is_cut_ = false;
  std::map<std::uint32_t, std::array<AccessRange, BlockChoice::kStrata>> accesses_;
};

// The first warp of each block comes first: where warps take too long, what differs from block to
// block is seen all the same.
LaunchPrediction PredictExample(const Program& program, const LaunchValues& launch,
                                const UniformLoads& uniform, std::uint64_t& steps) {
  constexpr std::uint64_t kFirstWarps = std::uint64_t{2} * kExampleBlocks;
  const std::uint64_t of_warp = steps / kFirstWarps;
  Predictor predictor(program, launch, uniform, steps, {of_warp, of_warp}, true);
  const std::uint32_t warps = address::WarpsOf(launch);
  bool complete = true;
  for (std::uint32_t i = 0; i < std::min(kExampleWarps, warps); ++i) {
    const std::uint32_t warp = i + 1 == kExampleWarps ? warps - 1 : i;
    for (std::uint32_t row = 0; row < std::min({2U, launch.grid.y, launch.grid.z}); ++row) {
      for (std::uint32_t x = 0; x < std::min(kExampleBlocks, launch.grid.x); ++x) {
        complete = steps > 0 && predictor.RunWarp({x, row, row}, warp, 0) && complete;
      }
    }
  }
  LaunchPrediction result =
      std::move(predictor).Result(std::vector<double>(BlockChoice::kStrata, 1));
  result.is_complete = complete;
  return result;
}

// One warp of each block: where a block's warps take as long as there are steps, blocks of all
// kinds tell more. Never complete.
LaunchPrediction PredictLong(const Program& program, const LaunchValues& launch,
                             const UniformLoads& uniform, std::uint8_t open_rounds,
                             std::uint64_t& steps) {
  Predictor predictor(program, launch, uniform, steps, {steps / 32, steps, open_rounds}, false);
  BlockChoice blocks(launch.grid);
  const std::uint32_t warps = address::WarpsOf(launch);
  bool is_done = true;
  for (std::uint32_t i = 0; i < kMostLongBlocks && is_done && steps > 0; ++i) {
    const auto block = blocks.Next();
    if (!block) break;
    // Another warp each time, without a rule that addresses may follow, too.
    constexpr std::uint64_t kHash = 0x9e3779b97f4a7c15;
    const auto warp = static_cast<std::uint32_t>((i * kHash >> 32U) % warps);
    is_done = predictor.RunWarp(block->index, warp, block->stratum);
    blocks.Count(block->stratum);
  }
  std::vector<double> weights = blocks.Weights();
  for (double& weight : weights) weight *= warps;  // one warp stands for all of its block
  LaunchPrediction result = std::move(predictor).Result(weights);
  result.is_complete = false;
  return result;
}

}  // namespace

LaunchPrediction PredictLaunch(const Program& program, const LaunchValues& launch,
                               const UniformLoads& uniform, Walk walk, std::uint64_t& steps) {
  if (walk == Walk::kExample) return PredictExample(program, launch, uniform, steps);
  if (walk == Walk::kLongBlocks || walk == Walk::kFarInLoops) {
    const bool is_far = walk == Walk::kFarInLoops;
    const std::uint8_t rounds = is_far ? kFarRounds : address::Warp::kOpenRounds;
    return PredictLong(program, launch, uniform, rounds, steps);
  }
  Predictor predictor(program, launch, uniform, steps, {steps / 8, steps}, false);
  BlockChoice blocks(launch.grid);
  const std::uint32_t warps = address::WarpsOf(launch);
  bool complete = true;
  std::uint32_t evaluated = 0;  // where each kind of block was
  while (complete && steps > 0) {
    const auto block = blocks.Next();
    if (!block) break;
    for (std::uint32_t warp = 0; warp < warps && complete; ++warp) {
      complete = predictor.RunWarp(block->index, warp, block->stratum);
    }
    blocks.Count(block->stratum);
    if (predictor.EndBlock(block->stratum) && blocks.CoversAll() && ++evaluated >= kEnoughBlocks) {
      break;
    }
  }
  LaunchPrediction result = std::move(predictor).Result(blocks.Weights());
  result.is_complete = complete && !result.is_cut;
  return result;
}

std::vector<LaunchPrediction> PredictFarExamples(const Program& program, const LaunchValues& launch,
                                                 const UniformLoads& uniform,
                                                 std::uint64_t& steps) {
  const bool is_in_grid = launch.grid != kExampleGrid;
  std::vector<LaunchPrediction> result;
  for (const FarWarp& one : FarWarps(program, launch, kExampleBlocks, is_in_grid)) {
    if (steps == 0) break;
    Predictor predictor(program, launch, uniform, steps, {steps, steps}, true);
    predictor.RunWarp(one.block, one.warp, 0);
    result.push_back(std::move(predictor).Result(std::vector<double>(BlockChoice::kStrata, 1)));
  }
  return result;
}

}  // namespace coalcheck::prediction
