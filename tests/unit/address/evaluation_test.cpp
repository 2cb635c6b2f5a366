// SPDX-License-Identifier: Apache-2.0
//
// Small PTX kernels whose requests are known by hand.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/ptx/reader.h"
#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

// Most requests are of rows of so many lanes, `step` bytes apart.
void ExpectRows(const EvaluatedAccess& access, std::int64_t step, std::uint32_t lanes) {
  EXPECT_EQ(access.shapes[0].shape.kind, LaneShape::Kind::kRows);
  EXPECT_EQ(access.shapes[0].shape.step, step);
  EXPECT_EQ(access.shapes[0].shape.row, lanes);
}

TEST(Evaluation, ConsecutiveLanesTouchFourSectors) {
  const EvaluatedAccess access = Evaluated("mov.u32 %r6, %r1;\n" + std::string(kIndexed));
  EXPECT_EQ(access.sums.requests, 4);
  EXPECT_EQ(access.sums.lanes, 128);
  EXPECT_EQ(access.sums.sectors, 16);
  EXPECT_EQ(access.sums.lines, 4);
  ASSERT_EQ(access.shapes.size(), 1U);
  EXPECT_EQ(access.shapes[0].shape.kind, LaneShape::Kind::kStep);
  EXPECT_EQ(access.shapes[0].shape.step, 4);
}

TEST(Evaluation, AStepThatAnArgumentDecidesIsANumber) {
  const EvaluatedAccess access = Evaluated("mul.lo.s32 %r6, %r1, %r2;\n" + std::string(kIndexed), 0,
                                           {32, 1, 1}, {4, 1, 1}, 33);
  EXPECT_EQ(access.sums.sectors, 4 * 32);
  EXPECT_EQ(access.shapes[0].shape.step, 4 * 33);
}

TEST(Evaluation, BehindABranchToATrapAllLanesTakePart) {
  // As cooperative_groups does: where %envreg2 is 0 the launch was no cooperative one.
  const EvaluatedAccess access = Evaluated(
      "mov.u32 %r7, %envreg2;\nsetp.ne.s32 %p1, %r7, 0;\n@%p1 bra $L1;\ntrap;\n$L1:\n"
      "mov.u32 %r6, %r1;\n" +
      std::string(kIndexed));
  EXPECT_EQ(access.sums.requests, 4);
  EXPECT_FALSE(access.IsOpen());
}

TEST(Evaluation, LanesBeyondTheEndTakeNoPart) {
  const EvaluatedAccess access =
      Evaluated("setp.ge.s32 %p1, %r1, %r2;\n@%p1 bra $L1;\nmov.u32 %r6, %r1;\n" +
                    std::string(kIndexed) + "$L1:\n",
                0, {32, 1, 1}, {4, 1, 1}, 70);
  EXPECT_EQ(access.sums.requests, 3);
  EXPECT_EQ(access.sums.lanes, 70);
}

constexpr std::string_view kCopied =
    "mul.wide.s32 %rd3, %r1, 16;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "cp.async.cg.shared.global [%r9], [%rd4], 16, ";

TEST(Evaluation, LanesOfACopyThatReadNothingAskForNoSectors) {
  const EvaluatedAccess half = Evaluated("setp.lt.s32 %p1, %r5, 16;\nselp.b32 %r7, 16, 0, %p1;\n" +
                                         std::string(kCopied) + "%r7;\n");
  EXPECT_EQ(half.sums.requests, 4);
  EXPECT_EQ(half.sums.lanes, 4 * 32);
  EXPECT_EQ(half.sums.sectors, 4 * 8);
  const EvaluatedAccess ignored =
      Evaluated("setp.lt.s32 %p1, %r5, 16;\n" + std::string(kCopied) + "%p1;\n");
  EXPECT_EQ(ignored.sums.sectors, 4 * 8);
}

TEST(Evaluation, ACopyOfWhichNoLaneReadsIsARequestWithoutSectors) {
  const EvaluatedAccess access = Evaluated("setp.lt.s32 %p1, %r3, 3;\nselp.b32 %r7, 16, 0, %p1;\n" +
                                           std::string(kCopied) + "%r7, %rd9;\n");
  EXPECT_EQ(access.sums.requests, 4);
  EXPECT_EQ(access.sums.lanes, 4 * 32);
  EXPECT_EQ(access.sums.sectors, 3 * 16);
}

TEST(Evaluation, ACachePolicyIsNoNumberOfBytes) {
  const std::string body =
      "mul.wide.s32 %rd3, %r1, 16;\nadd.s64 %rd4, %rd1, %rd3;\nmov.b64 %rd9, 0;\n"
      "cp.async.cg.shared.global.L2::cache_hint [%r9], [%rd4], 16, %rd9;\n";
  EXPECT_EQ(Evaluated(body).sums.sectors, 4 * 16);
}

TEST(Evaluation, ACopyThatReadsNothingAtFirstHasItsStepAllTheSame) {
  // Five rounds of 128 copies, of which the first reads nothing.
  const EvaluatedAccess access = Evaluated(
      "mul.wide.s32 %rd3, %r1, 16;\nadd.s64 %rd4, %rd1, %rd3;\nmov.u32 %r7, 0;\n$L1:\n"
      "setp.gt.s32 %p1, %r7, 0;\nselp.b32 %r8, 16, 0, %p1;\n"
      "cp.async.cg.shared.global [%r9], [%rd4], 16, %r8;\nadd.s64 %rd4, %rd4, 2048;\n"
      "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p2, %r7, 5;\n@%p2 bra $L1;\n");
  EXPECT_EQ(access.sums.requests, 4 * 5);
  EXPECT_EQ(access.sums.sectors, 4 * 4 * 16);
  EXPECT_TRUE(access.has_turn_step);
  EXPECT_EQ(access.turn_step, 2048);
}

TEST(Evaluation, DataMayDecideWhetherACopyOfNothingIsMade) {
  const EvaluatedAccess access =
      Evaluated("mov.u32 %r6, %r1;\n" + std::string(kIndexed) +
                    "setp.gt.f32 %p1, %f1, 0f00000000;\n@!%p1 bra $L1;\n" + std::string(kCopied) +
                    "0;\n$L1:\n",
                1);
  EXPECT_EQ(access.lane_open, 4);
  EXPECT_EQ(access.sums.sectors, 0);
}

TEST(Evaluation, DataMayDecideWhetherACopyReads) {
  const EvaluatedAccess access =
      Evaluated("mov.u32 %r6, %r1;\n" + std::string(kIndexed) + "mov.b32 %r7, %f1;\n" +
                    std::string(kCopied) + "%r7;\n",
                1);
  EXPECT_EQ(access.lane_open, 4);
}

TEST(Evaluation, ALoopIsFollowedAndItsStepIsSeen) {
  const EvaluatedAccess access = Evaluated(
      "mov.u32 %r6, %r1;\nmov.u32 %r7, 0;\n$L1:\n" + std::string(kIndexed) +
      "add.s32 %r6, %r6, %r2;\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 5;\n@%p1 bra $L1;\n");
  EXPECT_EQ(access.sums.requests, 4 * 5);
  EXPECT_TRUE(access.has_turn_step);
  EXPECT_EQ(access.turn_step, 4 * 128);
}

TEST(Evaluation, AWarpThatIsRunAgainWithAShorterLoopIsCountedOnce) {
  const std::string body = "mov.u32 %r6, %r1;\n" + std::string(kIndexed) +
                           "mov.u32 %r7, 0;\n$L1:\n" + std::string(kIndexed) +
                           "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 1000;\n@%p1 bra $L1;\n";
  const EvaluationLimits limits{.steps = 100'000, .of_warp = 1000};
  const LaunchEvaluation all = EvaluateKernel(body, {4, 1, 1}, {64, 1, 1}, 128, limits);
  EXPECT_TRUE(all.is_cut());
  ASSERT_EQ(all.accesses.size(), 2U);
  EXPECT_EQ(all.accesses[0].sums.requests, 8);
  EXPECT_EQ(all.accesses[0].sums.sectors, 8 * 4);
}

TEST(Evaluation, BlocksWhoseAccessesDifferAreNotAlikeWhereTheirSumsAre) {
  // Elements 4b - 1 to 4b + 2, and 4b + 1 to 4b + 4: one of them lies across two sectors.
  const std::string body = "add.s32 %r6, %r1, -1;\n" + std::string(kIndexed) +
                           "add.s32 %r6, %r1, 1;\n" + std::string(kIndexed);
  const EvaluationLimits limits{.steps = 20'000};
  const LaunchEvaluation all = EvaluateKernel(body, {10'000, 1, 1}, {4, 1, 1}, 128, limits);
  EXPECT_GT(all.blocks_evaluated, 100U);
  for (const EvaluatedAccess& access : all.accesses) {
    EXPECT_NEAR(access.sums.sectors / access.sums.requests, 1.5, 0.01);
  }
}

TEST(Evaluation, WhereLoopsAreNestedTheInnerOneIsRunWhole) {
  // A thousand rows of 1606 floats, whose last request is of six lanes.
  const std::string body =
      "mov.u32 %r8, 0;\n$L1:\nmov.u32 %r7, %r5;\n$L2:\nmad.lo.s32 %r6, %r8, 1632, %r7;\n" +
      std::string(kIndexed) +
      "add.s32 %r7, %r7, 32;\nsetp.lt.s32 %p1, %r7, %r2;\n@%p1 bra $L2;\n"
      "add.s32 %r8, %r8, 1;\nsetp.lt.s32 %p2, %r8, 1000;\n@%p2 bra $L1;\n";
  const EvaluationLimits limits{.steps = 100'000, .of_warp = 2000};
  const LaunchEvaluation all = EvaluateKernel(body, {4, 1, 1}, {32, 1, 1}, 1606, limits);
  EXPECT_TRUE(all.is_cut());
  ASSERT_EQ(all.accesses.size(), 1U);
  const Sums& sums = all.accesses[0].sums;
  EXPECT_DOUBLE_EQ(sums.sectors / sums.requests, (50 * 4 + 1) / 51.0);
}

TEST(Evaluation, TheFirstBitOfALaneIsItsIndex) {
  const EvaluatedAccess access =
      Evaluated("or.b32 %r7, %r5, 256;\nbrev.b32 %r8, %r7;\nbfind.shiftamt.u32 %r6, %r8;\n" +
                std::string(kIndexed));
  const LaneBits& bits = access.samples.at(0).addresses.bits;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    EXPECT_EQ(bits[lane], 0x700000000000U + 4 * std::uint64_t(std::countr_zero(lane | 256U)));
  }
}

TEST(Evaluation, RootsAndSignsAreThoseOfIeee) {
  // 4 * sqrt(lane * lane), with the sign of a negative number taken away.
  const EvaluatedAccess access = Evaluated(
      "cvt.rn.f32.u32 %f1, %r5;\nmul.f32 %f2, %f1, %f1;\nsqrt.rn.f32 %f3, %f2;\nneg.f32 %f4, %f3;\n"
      "copysign.f32 %f5, %f1, %f4;\ncvt.rzi.s32.f32 %r7, %f5;\nshl.b32 %r6, %r7, 2;\n" +
      std::string(kIndexed));
  EXPECT_EQ(access.sums.sectors / access.sums.requests, 16);
  EXPECT_EQ(access.shapes.at(0).shape.step, 16);
}

TEST(Evaluation, ABlockHasItsPlaceInTheClusterThatTheKernelAsksFor) {
  std::string text = KernelText("mov.u32 %r7, %cluster_ctarank;\nmad.lo.s32 %r6, %r7, 8, %r5;\n" +
                                std::string(kIndexed));
  text.insert(text.find("\n{"), "\n.reqnctapercluster 2, 1, 1");
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const Program program(function, flow);
  const std::string arguments = Arguments(0);
  const LaunchEvaluation all = Evaluate(program, {{4, 1, 1}, {32, 1, 1}, arguments, 0});
  ASSERT_EQ(all.accesses.size(), 1U);
  const auto first_of = [&](std::size_t sample) {
    const RequestSample& one = all.accesses[0].samples.at(sample);
    return std::pair(one.block % 2, one.addresses.bits[0] - 0x700000000000U);
  };
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(first_of(i).second, 32 * first_of(i).first);
}

TEST(Evaluation, LanesLeaveALoopEachInItsTurnAndMeetBehindIt) {
  // for (i = 0; i < lane; ++i) load; store
  const EvaluatedAccess inside = Evaluated(
      "mov.u32 %r6, 0;\nsetp.ge.s32 %p1, %r6, %r5;\n@%p1 bra $L2;\n$L1:\n" + std::string(kIndexed) +
          "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p2, %r6, %r5;\n@%p2 bra $L1;\n$L2:\n"
          "mul.wide.s32 %rd5, %r1, 4;\nadd.s64 %rd6, %rd2, %rd5;\nst.global.f32 [%rd6], %f1;\n",
      0, {32, 1, 1}, {1, 1, 1});
  EXPECT_EQ(inside.sums.requests, 31);
  EXPECT_EQ(inside.sums.lanes, 31 * 32 / 2);
}

TEST(Evaluation, ARowThatALoadBeginsKeepsItsLanes) {
  // y[x[block] + lane]: where it begins is loaded, how it goes on is not.
  const std::string body =
      "mul.wide.s32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r8, [%rd4];\n"
      "add.s32 %r9, %r8, %r5;\nmul.wide.s32 %rd5, %r9, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
      "ld.global.f32 %f1, [%rd6];\n";
  const EvaluatedAccess access = Evaluated(body, 1);
  EXPECT_GT(access.by_data, 0);
  EXPECT_EQ(access.shapes[0].shape.kind, LaneShape::Kind::kStep);
  EXPECT_EQ(access.shapes[0].shape.step, 4);
  EXPECT_TRUE(access.shapes[0].shape.begins_by_data);
}

TEST(Evaluation, AGatherIsDecidedLaneByLane) {
  const std::string body =
      "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r8, [%rd4];\n"
      "mul.wide.s32 %rd5, %r8, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.f32 %f1, [%rd6];\n";
  const EvaluatedAccess access = Evaluated(body, 1);
  EXPECT_EQ(access.shapes[0].shape.kind, LaneShape::Kind::kByData);
  ASSERT_EQ(access.origins.size(), 1U);
  EXPECT_EQ(access.origins[0].kind, Origin::Kind::kLoaded);
}

TEST(Evaluation, RunsWhoseBeginningsAreLoadedStayRuns) {
  // table[ids[t / 8] * 10 + t % 8]
  const std::string body =
      "shr.u32 %r6, %r1, 3;\nmul.wide.u32 %rd3, %r6, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
      "ld.global.u32 %r8, [%rd4];\nand.b32 %r9, %r1, 7;\nmad.lo.s32 %r10, %r8, 10, %r9;\n"
      "mul.wide.s32 %rd5, %r10, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.f32 %f1, [%rd6];\n";
  const EvaluatedAccess access = Evaluated(body, 1);
  ExpectRows(access, 4, 8U);
}

TEST(Evaluation, RowsOfNoWholeNumberOfLanesAreRows) {
  // The float at 14 * row + 4 * (t mod 3.5), of rows 28 apart.
  const EvaluatedAccess access = Evaluated(
      "mul.lo.s32 %r7, %r5, 4;\nrem.s32 %r8, %r7, 14;\ndiv.s32 %r9, %r7, 14;\n"
      "mad.lo.s32 %r6, %r9, 28, %r8;\n" +
      std::string(kIndexed));
  ExpectRows(access, 16, 4U);
}

TEST(Evaluation, AJumpOrTwoInAWarpEndNoPattern) {
  // Every fourth float, where lanes 20 and 21 lie elsewhere.
  const EvaluatedAccess access = Evaluated(
      "and.b32 %r7, %r5, 30;\nsetp.eq.s32 %p1, %r7, 20;\nselp.b32 %r8, 5000, 0, %p1;\n"
      "mad.lo.s32 %r6, %r1, 4, %r8;\n" +
      std::string(kIndexed));
  ExpectRows(access, 16, 20U);
}

TEST(Evaluation, EveryEighthLaneThatAsksForTheNextElementIsAStepFromOneToTheNext) {
  // Lane 8 i asks for element i + 3.
  const EvaluatedAccess access = Evaluated(
      "and.b32 %r7, %r5, 7;\nsetp.ne.s32 %p1, %r7, 0;\n@%p1 bra $L1;\n"
      "shr.u32 %r8, %r5, 3;\nadd.s32 %r6, %r8, 3;\n" +
      std::string(kIndexed) + "$L1:\n");
  const LaneShape& shape = access.shapes[0].shape;
  EXPECT_EQ(shape.kind, LaneShape::Kind::kStep);
  EXPECT_EQ(shape.step, 4);
  EXPECT_EQ(shape.phase, 12U);
  EXPECT_TRUE(shape.is_partial);
  EXPECT_FALSE(shape.has_gaps);
}

TEST(Evaluation, FourLanesThatLieAnywhereHaveNoStep) {
  // Lanes 0 to 3 at 0, 100, 1000 and 1007 floats.
  const EvaluatedAccess access = Evaluated(
      "setp.ge.s32 %p1, %r5, 4;\n@%p1 bra $L1;\nsetp.gt.s32 %p2, %r5, 0;\n"
      "selp.b32 %r6, 100, 0, %p2;\nsetp.gt.s32 %p3, %r5, 1;\nselp.b32 %r6, 1000, %r6, %p3;\n"
      "setp.gt.s32 %p4, %r5, 2;\nselp.b32 %r6, 1007, %r6, %p4;\n" +
      std::string(kIndexed) + "$L1:\n");
  EXPECT_EQ(access.shapes[0].shape.kind, LaneShape::Kind::kIrregular);
}

TEST(Evaluation, WhereDataDecideWhoTakesPartThatIsMarked) {
  const std::string body =
      "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r8, [%rd4];\n"
      "setp.eq.s32 %p1, %r8, 0;\n@%p1 bra $L1;\nadd.s64 %rd6, %rd2, %rd3;\n"
      "st.global.f32 [%rd6], %f1;\n$L1:\n";
  const EvaluatedAccess access = Evaluated(body, 1);
  EXPECT_GT(access.lane_open, 0);
  EXPECT_EQ(access.by_data, 0);
  EXPECT_EQ(access.shapes[0].shape.step, 4);
}

TEST(Evaluation, AWarpShuffleUnderAPartialMaskReachesItsLanesOnly) {
  // Of lane 3, for lanes 0 to 7; the others keep their own index.
  const std::string body =
      "mov.u32 %r6, %r5;\nsetp.gt.u32 %p1, %r5, 7;\n@%p1 bra $L1;\n"
      "shfl.sync.idx.b32 %r6, %r5, 3, 31, 255;\n$L1:\n" +
      std::string(kIndexed);
  const EvaluatedAccess access = Evaluated(body, 0, {32, 1, 1}, {1, 1, 1});
  EXPECT_EQ(access.sums.sectors, 4);  // lane 3's sector, and those of lanes 8 to 31
  EXPECT_EQ(access.shapes[0].shape.kind, LaneShape::Kind::kIrregular);
}

TEST(Evaluation, APointerThatAFlagChoosesIsOneOfTwo) {
  const std::string body =
      "setp.eq.s32 %p1, %r2, 1;\nselp.b64 %rd7, %rd1, %rd2, %p1;\nmul.wide.s32 %rd3, %r1, 8;\n"
      "add.s64 %rd4, %rd7, %rd3;\nld.global.f32 %f1, [%rd4];\n";
  EXPECT_EQ(Evaluated(body).shapes[0].shape.step, 8);
}

TEST(Evaluation, WithoutArgumentsAGuardLetsWholeWarpsThrough) {
  const std::string text =
      KernelText("setp.ge.s32 %p1, %r1, %r2;\n@%p1 bra $L1;\nmov.u32 %r6, %r1;\n" +
                 std::string(kIndexed) + "$L1:\n");
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const Program program(function, flow);
  const LaunchEvaluation evaluation = Evaluate(program, {{2, 1, 1}, {64, 1, 1}, {}, 0});
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  const EvaluatedAccess& access = evaluation.accesses[0];
  EXPECT_EQ(access.lane_open, 0);
  EXPECT_EQ(access.warp_open, 4);
  EXPECT_EQ(access.sums.sectors, 16);
}

TEST(Evaluation, AKernelThatNeverEndsIsCutAndSaysSo) {
  const std::string text =
      KernelText("mov.u32 %r6, %r1;\n$L1:\n" + std::string(kIndexed) + "bra $L1;\n");
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const Program program(function, flow);
  const std::string arguments = Arguments(1);
  const LaunchEvaluation evaluation =
      Evaluate(program, {{1, 1, 1}, {32, 1, 1}, arguments, 0}, {10'000, 2});
  EXPECT_FALSE(evaluation.is_complete);
  EXPECT_EQ(evaluation.end, WarpEnd::kOutOfSteps);
  EXPECT_LE(evaluation.steps, 10'000U);
}

TEST(Evaluation, OfALargeGridChosenBlocksStandForAll) {
  const std::string text = KernelText("mov.u32 %r6, %r1;\n" + std::string(kIndexed));
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const Program program(function, flow);
  const std::string arguments = Arguments(1);
  const LaunchEvaluation evaluation =
      Evaluate(program, {{100'000, 7, 1}, {32, 1, 1}, arguments, 0}, {20'000, 2});
  EXPECT_FALSE(evaluation.is_complete);
  EXPECT_TRUE(evaluation.covers);
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  EXPECT_NEAR(evaluation.accesses[0].sums.requests, 700'000, 70'000);
  EXPECT_NEAR(evaluation.accesses[0].sums.sectors / evaluation.accesses[0].sums.requests, 4, 1e-9);
}

// Lanes whose number is in no list, or whose label stands behind the last instruction, end.
TEST(Evaluation, ASwitchLeavesTheLanesThatHaveNowhereToGo) {
  std::string text = KernelText(
      "and.b32 %r7, %r1, 3;\nts: .branchtargets L1, L2;\nbrx.idx %r7, ts;\n"
      "L1: mov.u32 %r6, %r1;\n" +
      std::string(kIndexed) + "ret;\n");
  text.replace(text.rfind("ret;\n}"), 5, "L2:\n");
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const Program program(function, flow);
  const LaunchEvaluation evaluation = Evaluate(program, {{1, 1, 1}, {32, 1, 1}, Arguments(1), 0});
  ASSERT_EQ(evaluation.accesses.size(), 1U);
  EXPECT_EQ(evaluation.accesses[0].sums.requests, 1);
  EXPECT_EQ(evaluation.accesses[0].sums.lanes, 8);
}

}  // namespace
}  // namespace coalcheck::address
