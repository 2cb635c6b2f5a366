// SPDX-License-Identifier: Apache-2.0
//
// Chooses blocks and warps, and runs them within a number of steps.
#include "libcoalcheck/address/launch_evaluation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "libcoalcheck/address/block_choice.h"
#include "libcoalcheck/address/request_tally.h"
#include "libcoalcheck/address/warp_runner.h"

namespace coalcheck::address {
namespace {

// How many blocks are enough of a grid whose blocks all ask for as much.
constexpr std::uint64_t kEnoughBlocks = 32;

// Collects the requests of one attempt to run a warp. Only the last attempt counts.
class Attempted : public RequestSink {
 public:
  void Begin() {
    requests_.clear();
    filled_.clear();
  }
  void Take(const Request& request) override { requests_.push_back(request); }
  void TakeFilled(const Filled& filled) override { filled_.push_back(filled); }
  void CountIn(RequestTally& tally) const {
    for (const Request& one : requests_) tally.Take(one);
    for (const Filled& one : filled_) tally.TakeFilled(one);
  }

 private:
  std::vector<Request> requests_;
  std::vector<Filled> filled_;
};

class LaunchRun {
 public:
  LaunchRun(const Program& program, const LaunchValues& launch, const EvaluationLimits& limits,
            RequestFilter* filter)
      : limits_(limits),
        filter_(filter),
        is_approximate_(program.is_approximate()),
        blocks_(launch.grid),
        tally_(program, BlockChoice::kStrata, limits.samples),
        warps_(WarpsOf(launch)),
        left_(limits.steps),
        runner_(program, launch, left_, MostOf(limits)),
        ask_at_(limits.steps / 8) {}

  LaunchEvaluation Run();

 private:
  static WarpRunner::Most MostOf(const EvaluationLimits& limits) {
    const std::uint64_t most = limits.of_warp == 0 ? limits.steps / 8 : limits.of_warp;
    return {.steps = most,
            .cut_most = most,
            .keeps_cut = limits.keeps_cut,
            .first_cut = limits.first_cut};
  }
  WarpEnd RunBlock(const BlockChoice::Choice& block);
  WarpEnd RunWarp(const BlockChoice::Choice& block, std::uint32_t warp, double stands_for);
  // Whether few of its warps stand for the rest of a block.
  bool AreFewWarpsRun(std::uint64_t warps) const;
  WarpEnd RunFewWarps(const BlockChoice::Choice& block, std::uint32_t first);
  // Whether the blocks that were evaluated are enough of those that are too many to evaluate.
  bool IsEnough();
  // What was evaluated so far, and is in `tally`; it ended in `end`.
  LaunchEvaluation Evaluated(WarpEnd end, RequestTally tally) const;

  const EvaluationLimits& limits_;
  RequestFilter* filter_;
  const bool is_approximate_;
  BlockChoice blocks_;
  Attempted attempted_;
  RequestTally tally_;
  const std::uint32_t warps_;  // of a block
  std::uint64_t left_;         // steps, of all
  WarpRunner runner_;
  std::uint64_t blocks_evaluated_ = 0;
  std::uint64_t most_of_block_ = 0;  // steps
  std::uint64_t ask_at_;  // steps taken at which the caller is asked whether they are enough
  bool are_blocks_alike_ = true;
  bool has_open_rounds_ = false;
  bool are_warps_left_out_ = false;
};

WarpEnd LaunchRun::RunWarp(const BlockChoice::Choice& block, std::uint32_t warp,
                           double stands_for) {
  const WarpEnd end = runner_.Run([&](Warp& runner, Unknowns& unknowns) {
    attempted_.Begin();
    tally_.Begin(unknowns, {block.stratum, block.number, warp, stands_for});
    if (filter_ != nullptr) {
      filter_->Enter(block.number, warp);
      filter_->Begin(attempted_, unknowns);
    }
    RequestSink& sink = filter_ != nullptr ? static_cast<RequestSink&>(*filter_) : attempted_;
    const WarpEnd its_end = runner.Run(block.index, warp, sink);
    if (filter_ != nullptr) filter_->End();
    return its_end;
  });
  attempted_.CountIn(tally_);
  has_open_rounds_ = has_open_rounds_ || runner_.warp().has_open_rounds();
  return end;
}

// Whether the steps of all warps would be missed elsewhere: for the other kinds of blocks; or, once
// a block of each kind was evaluated and blocks differ, for further blocks, which tell more than
// further warps do; or whether there are not so many.
bool LaunchRun::AreFewWarpsRun(std::uint64_t warps) const {
  const std::uint64_t missing = blocks_.MissingStrata();
  if (warps <= 2) return false;
  if (missing == 0 && are_blocks_alike_) return runner_.taken() * warps > left_;
  const std::uint64_t to_evaluate = missing > 0 ? missing : blocks_.count() - blocks_evaluated_;
  return runner_.taken() * warps > left_ / to_evaluate;
}

// One for those between, and the last, which may be a partial one. In further blocks of a kind it
// is another one each time, without a rule that the addresses may follow, too.
WarpEnd LaunchRun::RunFewWarps(const BlockChoice::Choice& block, std::uint32_t first) {
  are_warps_left_out_ = true;
  const std::uint32_t between = warps_ - first - 1;
  constexpr std::uint64_t kHash = 0x9e3779b97f4a7c15;
  const std::uint64_t turn = blocks_.CoversAll() ? blocks_evaluated_ * kHash >> 32U : between / 2;
  const auto middle = static_cast<std::uint32_t>(turn % between);
  const WarpEnd end = RunWarp(block, first + middle, between);
  return end != WarpEnd::kDone ? end : RunWarp(block, warps_ - 1, 1);
}

WarpEnd LaunchRun::RunBlock(const BlockChoice::Choice& block) {
  for (std::uint32_t warp = 0; warp < warps_; ++warp) {
    if (const WarpEnd end = RunWarp(block, warp, 1); end != WarpEnd::kDone) return end;
    if (AreFewWarpsRun(warps_ - warp - 1)) return RunFewWarps(block, warp + 1);
  }
  return WarpEnd::kDone;
}

LaunchEvaluation LaunchRun::Evaluated(WarpEnd end, RequestTally tally) const {
  LaunchEvaluation result;
  result.blocks = blocks_.count();
  result.end = end;
  result.covers = blocks_.CoversAll();
  result.steps = limits_.steps - left_;
  result.has_open_rounds = has_open_rounds_;
  result.cut = runner_.cut();
  result.is_approximate = is_approximate_;
  result.are_warps_left_out = are_warps_left_out_;
  result.blocks_evaluated = blocks_evaluated_;
  result.is_complete = end == WarpEnd::kDone && !runner_.is_cut() && !are_warps_left_out_ &&
                       blocks_evaluated_ == result.blocks;
  result.accesses = tally.Finish(blocks_.Weights());
  return result;
}

bool LaunchRun::IsEnough() {
  const std::uint64_t taken = limits_.steps - left_;
  if (taken / blocks_evaluated_ * blocks_.count() <= limits_.steps || !blocks_.CoversAll()) {
    return false;
  }
  if (are_blocks_alike_ && blocks_evaluated_ >= kEnoughBlocks) return true;
  if (!limits_.is_enough || taken < ask_at_) return false;
  ask_at_ = 2 * taken;
  return limits_.is_enough(Evaluated(WarpEnd::kDone, tally_));
}

LaunchEvaluation LaunchRun::Run() {
  for (auto block = blocks_.Next(); block; block = blocks_.Next()) {
    // Half a block would count as a whole one.
    if (blocks_.CoversAll() && left_ < most_of_block_) {
      return Evaluated(WarpEnd::kOutOfSteps, std::move(tally_));
    }
    const std::uint64_t before = left_;
    const bool covered = blocks_.CoversAll();
    const WarpEnd end = RunBlock(*block);
    most_of_block_ = std::max(most_of_block_, before - left_);
    blocks_.Count(block->stratum);
    ++blocks_evaluated_;
    are_blocks_alike_ = tally_.EndBlock();
    if (end != WarpEnd::kDone) {
      LaunchEvaluation result = Evaluated(end, std::move(tally_));
      // A block that was not run to its end does not show what its kind of blocks does.
      result.covers = covered;
      return result;
    }
    if (IsEnough()) break;
  }
  return Evaluated(WarpEnd::kDone, std::move(tally_));
}

}  // namespace

Sums SumsOf(const sectors::RequestCounts& counts) {
  return {1, static_cast<double>(counts.lanes.count()), static_cast<double>(counts.sectors.count()),
          static_cast<double>(counts.ideal_sectors.count()),
          static_cast<double>(counts.lines.count())};
}

Counts CountsOf(const Sums& sums) {
  constexpr double kMost = 1e18;
  const double largest = std::max({sums.requests, sums.lanes, sums.sectors, sums.lines});
  double scale = largest > kMost ? kMost / largest : 1;
  // Sums over chosen blocks are no whole numbers.
  if (sums.requests > 0) scale = std::max(1.0, std::round(sums.requests * scale)) / sums.requests;
  const auto number = [&](double value) {
    return static_cast<std::uint64_t>(std::llround(value * scale));
  };
  Counts counts;
  counts.requests = Requests(number(sums.requests));
  counts.lanes = Lanes(number(sums.lanes));
  counts.sectors = Sectors(number(sums.sectors));
  counts.ideal = std::min(Sectors(number(sums.ideal)), counts.sectors);
  counts.lines = CacheLines(number(sums.lines));
  return counts;
}

void Sums::Add(const Sums& other, double times) {
  requests += other.requests * times;
  lanes += other.lanes * times;
  sectors += other.sectors * times;
  ideal += other.ideal * times;
  lines += other.lines * times;
}

std::optional<std::uint64_t> EvaluatedAccess::LaneStep() const {
  if (shapes.empty() || shapes.front().shape.kind != LaneShape::Kind::kStep) return std::nullopt;
  return static_cast<std::uint64_t>(std::abs(shapes.front().shape.step));
}

const EvaluatedAccess* LaunchEvaluation::Find(std::uint32_t instruction) const {
  const auto found =
      std::ranges::lower_bound(accesses, instruction, {}, &EvaluatedAccess::instruction);
  return found == accesses.end() || found->instruction != instruction ? nullptr : &*found;
}

LaunchEvaluation Evaluate(const Program& program, const LaunchValues& launch,
                          const EvaluationLimits& limits, RequestFilter* filter) {
  return LaunchRun(program, launch, limits, filter).Run();
}

}  // namespace coalcheck::address
