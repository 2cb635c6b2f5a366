// SPDX-License-Identifier: Apache-2.0
//
// Chooses blocks and warps, and runs them within a number of steps.
#include "libcoalcheck/address/launch_evaluation.h"

#include <algorithm>
#include <memory>

#include "libcoalcheck/address/block_choice.h"
#include "libcoalcheck/address/request_tally.h"

namespace coalcheck::address {
namespace {

// Rounds of each loop where a warp takes more steps than it may: the first cut, and the last.
constexpr std::uint32_t kCutRounds = 32;
constexpr std::uint32_t kFewestRounds = 2;
// Of a grid whose blocks all ask for as much.
constexpr std::uint64_t kEnoughBlocks = 32;
// Symbols are forgotten between warps when there are that many.
constexpr std::size_t kManyForms = 1U << 14U;
constexpr std::uint64_t kMostWarps = 32;  // of a block: no GPU takes more

bool IsTooLong(WarpEnd end) {
  return end == WarpEnd::kOutOfSteps || end == WarpEnd::kTooManyUnknowns;
}

class LaunchRun {
 public:
  LaunchRun(const Program& program, const LaunchValues& launch, const EvaluationLimits& limits,
            RequestFilter* filter)
      : program_(program),
        launch_(launch),
        limits_(limits),
        filter_(filter),
        blocks_(launch.grid),
        tally_(program, BlockChoice::kStrata, limits.samples),
        warps_(std::min((launch.block.count() + kWarpSize - 1) / kWarpSize, kMostWarps)),
        left_(limits.steps) {
    Renew();
  }

  LaunchEvaluation Run();

 private:
  // Forgets all symbols.
  void Renew();
  WarpEnd RunBlock(const BlockChoice::Choice& block);
  WarpEnd RunWarp(const BlockChoice::Choice& block, std::uint32_t warp, double stands_for);
  // Once, with the rounds that loops are cut to now.
  WarpEnd TryWarp(Extent index, const WarpPlace& place);
  bool AreFewWarpsRun(std::uint64_t warps) const;

  const Program& program_;
  const LaunchValues& launch_;
  const EvaluationLimits& limits_;
  RequestFilter* filter_;
  BlockChoice blocks_;
  RequestTally tally_;
  const std::uint64_t warps_;  // of a block
  std::unique_ptr<Unknowns> unknowns_;
  std::unique_ptr<Warp> runner_;
  std::uint64_t left_;         // steps, of all
  std::uint64_t of_warp_ = 0;  // steps that the warp that is run may still take
  std::uint64_t taken_ = 0;    // by the last warp that was run
  std::uint32_t rounds_ = 0;   // that loops are cut to; 0: they are not
  bool has_open_rounds_ = false;
};

void LaunchRun::Renew() {
  unknowns_ = std::make_unique<Unknowns>();
  runner_ = std::make_unique<Warp>(program_, launch_, *unknowns_, of_warp_);
  if (rounds_ != 0) runner_->LimitRounds(rounds_);
}

WarpEnd LaunchRun::TryWarp(Extent index, const WarpPlace& place) {
  tally_.Begin(*unknowns_, place);
  // An eighth of all; where one takes more, loops are cut short from there on.
  const std::uint64_t most = limits_.of_warp == 0 ? limits_.steps / 8 : limits_.of_warp;
  const std::uint64_t may_take = std::min(left_, most);
  of_warp_ = may_take;
  WarpEnd end = WarpEnd::kDone;
  if (filter_ == nullptr) {
    end = runner_->Run(index, place.warp, tally_);
  } else {
    filter_->Begin(tally_);
    end = runner_->Run(index, place.warp, *filter_);
    filter_->End();
  }
  taken_ = may_take - of_warp_;
  left_ -= taken_;
  has_open_rounds_ = has_open_rounds_ || runner_->has_open_rounds();
  return end;
}

WarpEnd LaunchRun::RunWarp(const BlockChoice::Choice& block, std::uint32_t warp,
                           double stands_for) {
  const WarpPlace place{block.stratum, block.number, warp, stands_for};
  if (unknowns_->size() > kManyForms) Renew();
  WarpEnd end = TryWarp(block.index, place);
  // What it asked for until then counts, and so does what the shorter rounds come to.
  while (IsTooLong(end) && rounds_ != kFewestRounds && left_ > 0) {
    rounds_ = rounds_ == 0 ? kCutRounds : rounds_ / 4;
    Renew();
    end = TryWarp(block.index, place);
  }
  return end;
}

// Whether so many further warps of this block would leave too little for the other kinds of blocks.
bool LaunchRun::AreFewWarpsRun(std::uint64_t warps) const {
  return rounds_ != 0 && warps > 2 && taken_ * warps > left_ / (blocks_.MissingStrata() + 1);
}

WarpEnd LaunchRun::RunBlock(const BlockChoice::Choice& block) {
  for (std::uint32_t warp = 0; warp < warps_; ++warp) {
    if (const WarpEnd end = RunWarp(block, warp, 1); end != WarpEnd::kDone) return end;
    const std::uint64_t further = warps_ - warp - 1;
    if (!AreFewWarpsRun(further)) continue;
    // One for those between, and the last, which may be a partial one.
    const auto between = static_cast<std::uint32_t>(further - 1);
    const std::uint32_t middle = warp + 1 + between / 2;
    const WarpEnd end = RunWarp(block, middle, between);
    return end != WarpEnd::kDone ? end : RunWarp(block, warp + between + 1, 1);
  }
  return WarpEnd::kDone;
}

LaunchEvaluation LaunchRun::Run() {
  LaunchEvaluation result;
  result.blocks = blocks_.count();
  while (result.end == WarpEnd::kDone) {
    const auto block = blocks_.Next();
    if (!block) break;
    result.end = RunBlock(*block);
    blocks_.Count(block->stratum);
    ++result.blocks_evaluated;
    // Where all do the same, and all of them are too many, some are enough.
    const bool are_alike = tally_.EndBlock() && blocks_.CoversAll();
    const std::uint64_t for_all = (limits_.steps - left_) / result.blocks_evaluated * result.blocks;
    const bool is_enough = result.blocks_evaluated >= kEnoughBlocks && for_all > limits_.steps;
    if (are_alike && is_enough) break;
  }
  result.steps = limits_.steps - left_;
  result.has_open_rounds = has_open_rounds_;
  result.is_cut = rounds_ != 0;
  result.is_complete =
      result.end == WarpEnd::kDone && rounds_ == 0 && result.blocks_evaluated == result.blocks;
  result.covers = blocks_.CoversAll();
  result.accesses = tally_.Finish(blocks_.Weights());
  return result;
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
  return LaunchRun(program, launch, limits, filter).Run();
}

}  // namespace coalcheck::address
