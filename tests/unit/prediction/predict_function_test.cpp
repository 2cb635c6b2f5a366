// SPDX-License-Identifier: Apache-2.0
//
// Small kernels, from their PTX to what their accesses cost at least and at most.
#include "libcoalcheck/prediction/predict_function.h"

#include <gtest/gtest.h>

#include <list>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "libcoalcheck/prediction/prediction_words.h"
#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

TEST(PredictFunction, FindsNeighboursCleanForEveryLaunch) {
  const AccessPrediction one = Kernel("mov.u32 %r9, %r3;\n" + kLoad).Predict();
  EXPECT_GT(one.most.requests, Requests(0));
  EXPECT_EQ(Most(one), 0);
}

TEST(PredictFunction, FindsALongStepWastefulForEveryLaunch) {
  const AccessPrediction one = Kernel("mul.lo.s32 %r9, %r3, 32;\n" + kLoad).Predict();
  EXPECT_DOUBLE_EQ(Least(one), 0.875);
}

TEST(PredictFunction, NamesPtxOfAnotherBuild) {
  Kernel kernel("mov.u32 %r9, %r3;\n" + kLoad);
  kernel.SayItIsAStore();
  EXPECT_EQ(kernel.Predict().open.why,
            "it was not made from its PTX, whose line 13 is no store of 4 bytes");
}

TEST(PredictFunction, NamesPtxOfAnotherBuildWhereMoreIsLoadedThanItSays) {
  const Kernel kernel(
      "cvt.s64.s32 %rd2, %r3;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "ld.global.u8 %r8, [%rd3];\n");
  EXPECT_EQ(kernel.Predict().open.why,
            "it was not made from its PTX, whose line 12 is no load of 4 bytes");
}

// The machine code of these kernels loads four bytes.
TEST(PredictFunction, JudgesThePartOfANumberOrVectorThatTheAssemblerLoads) {
  const std::string address = "mul.wide.s32 %rd2, %r3, 8;\nadd.s64 %rd3, %rd1, %rd2;\n";
  for (const char* load :
       {"ld.global.u64 %rd4, [%rd3];\n", "ld.global.v2.f32 {%f1, %f2}, [%rd3];\n"}) {
    const AccessPrediction one = Kernel(address + load).Predict();
    EXPECT_DOUBLE_EQ(Least(one), 0.5) << load;
    EXPECT_DOUBLE_EQ(Most(one), 0.5) << load;
  }
}

TEST(PredictFunction, TakesTheNumberOfAWarpsPlaceAndSharedMemoryForUnknown) {
  for (const std::string special : {"%warpid", "%dynamic_smem_size"}) {
    const Kernel kernel("mov.u32 %r7, " + special +
                        ";\nadd.s32 %r8, %r7, 1;\n"
                        "mul.lo.s32 %r9, %r3, %r8;\n" +
                        kLoad);
    const LaunchesOfKernel known = FourBlocks(64, 1);
    for (const AccessPrediction& one : {kernel.Predict(), kernel.Predict(&known)}) {
      EXPECT_EQ(Least(one), 0) << special;
      EXPECT_DOUBLE_EQ(Most(one), 0.875) << special;
    }
  }
}

TEST(PredictFunction, TakesWhatVideoInstructionsMakeOfPartsOfARegisterForUnknown) {
  for (const std::string one :
       {"vadd.u32.u32.u32 %r8, %r3.b0, %r3.b0;\n", "vmax.s32.s32.s32 %r8, %r3.h0, %r3.h1;\n",
        "mov.u32 %r8, %r3;\nvadd4.u32.u32.u32 %r8.b0, %r3, %r3, %r8;\n"}) {
    const Kernel kernel(one + "mul.lo.s32 %r9, %r8, 32;\n" + kLoad);
    EXPECT_FALSE(kernel.Predict().open.why.empty() && Most(kernel.Predict()) == 0) << one;
    const LaunchesOfKernel known = FourBlocks(64, 1);
    EXPECT_FALSE(kernel.Predict(&known).open.why.empty() && Most(kernel.Predict(&known)) == 0)
        << one;
  }
}

TEST(PredictFunction, SaysThatFunctionsAreCalledThatAreNotFollowed) {
  EXPECT_TRUE(Kernel("call.uni elsewhere;\nmov.u32 %r9, %r3;\n" + kLoad).CallsUnseen());
  EXPECT_FALSE(
      Kernel("call.uni (%r7), vprintf, (%rd1, %rd2);\nmov.u32 %r9, %r3;\n" + kLoad).CallsUnseen());
  EXPECT_EQ(Assumptions({.is_on_calls = true}).size(), Assumptions({}).size() + 1);
}

TEST(PredictFunction, DoesNotJudgeALoadOfWhichCopiesKeepDifferentParts) {
  Kernel kernel(
      "mul.wide.s32 %rd2, %r3, 16;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];\n");
  kernel.AddCopyOf(Bytes(16));
  EXPECT_EQ(kernel.Predict().open.why, "the assembler made loads of different widths of it");
}

TEST(PredictFunction, LeavesAStepOpenThatAParameterDecides) {
  const Kernel kernel("mul.lo.s32 %r9, %r3, %r2;\n" + kLoad);
  const AccessPrediction one = kernel.Predict();
  EXPECT_EQ(Least(one), 0);
  EXPECT_DOUBLE_EQ(Most(one), 0.875);
  EXPECT_EQ(one.open.parameters, std::vector<std::uint32_t>{1});
  EXPECT_FALSE(one.open.lanes_by_data);
}

TEST(PredictFunction, CallsNothingCleanOfWhichTheFirstBlockAloneWasSeen) {
  std::string body = "mul.lo.s32 %r6, %r4, %r2;\nadd.s32 %r9, %r6, %r1;\n" + kLoad;
  for (int i = 0; i < 200; ++i) body += "mad.lo.s32 %r7, %r3, %r2, %r7;\n";
  body += "mul.wide.s32 %rd8, %r7, 4;\nadd.s64 %rd9, %rd1, %rd8;\nld.global.f32 %f3, [%rd9];\n";
  EXPECT_GT(Most(Kernel(body).Predict()), 0.1);
}

LaunchesOfKernel Launch(std::int32_t n) { return FourBlocks(64, n); }

TEST(PredictFunction, TakesTheStepFromALaunchThatIsKnown) {
  const Kernel kernel("mul.lo.s32 %r9, %r3, %r2;\n" + kLoad);
  const LaunchesOfKernel two = Launch(2);
  const LaunchesOfKernel one = Launch(1);
  EXPECT_DOUBLE_EQ(Least(kernel.Predict(&two)), 0.5);
  EXPECT_DOUBLE_EQ(Most(kernel.Predict(&two)), 0.5);
  EXPECT_EQ(Most(kernel.Predict(&one)), 0);
}

TEST(PredictFunction, CountsAllWarpsOfALaunchOfWhichOneOfEachBlockWasFollowed) {
  const Kernel kernel(
      "mov.u32 %r7, 0;\nmov.u32 %r8, 0;\n$L1:\nadd.s32 %r7, %r7, %r2;\nadd.s32 %r8, %r8, 1;\n"
      "setp.lt.s32 %p1, %r8, 20000;\n@%p1 bra $L1;\nadd.s32 %r9, %r3, %r7;\n" +
      kLoad);
  const LaunchesOfKernel known = Launch(1);
  EXPECT_EQ(kernel.Predict(&known).most.requests, Requests(8));
}

TEST(PredictFunction, CountsWhatLoadedValuesTakeToFollowAsSteps) {
  const auto steps = [](const std::string& loaded_from) {
    const Kernel kernel("mov.u32 %r8, 0;\nmov.u32 %r9, %r3;\n$L1:\nmul.wide.s32 %rd8, " +
                        loaded_from +
                        ", 4;\nadd.s64 %rd9, %rd1, %rd8;\nld.global.u32 %r9, [%rd9];\n"
                        "add.s32 %r8, %r8, 1;\nsetp.lt.s32 %p1, %r8, 100;\n@%p1 bra $L1;\n");
    return kernel.StepsFor(Launch(1));
  };
  EXPECT_GT(steps("%r9"), 10 * steps("%r3"));  // each load's address is what the last one brought
}

TEST(PredictFunction, TakesAnArgumentGivenByHand) {
  const Kernel kernel("mul.lo.s32 %r9, %r3, %r2;\n" + kLoad);
  KnownLaunch launch;
  launch.by_number[1] = 8;
  const LaunchesOfKernel known{{launch}};
  EXPECT_DOUBLE_EQ(Least(kernel.Predict(&known)), 0.875);
}

TEST(PredictFunction, TakesAnArgumentByItsNameInTheSource) {
  const Kernel kernel("mul.lo.s32 %r9, %r3, %r2;\n" + kLoad);
  KnownLaunch launch;
  launch.by_name["n"] = 8;
  const LaunchesOfKernel known{{launch}};
  EXPECT_DOUBLE_EQ(Least(kernel.Predict(&known)), 0.875);
}

TEST(PredictFunction, NamesALaunchThatNoGpuTakes) {
  using address::Extent;
  const Kernel kernel("mov.u32 %r9, %r3;\n" + kLoad);
  const auto problem = [&](std::optional<Extent> grid, std::optional<Extent> block) {
    KnownLaunch launch;
    launch.origin = kByHand;
    launch.grid = grid;
    launch.block = block;
    const auto problems = kernel.Problems(launch);
    return problems.size() == 1 ? problems[0] : std::to_string(problems.size()) + " problems";
  };
  const std::string begin = "--launch does not fit k: ";
  EXPECT_EQ(problem({}, Extent{1024, 2, 1}),
            begin + "block 1024x2x1: 2048 threads, and the kernel takes at most 1024");
  EXPECT_EQ(problem({}, Extent{1, 1, 1024}),
            begin + "block 1x1x1024: no GPU takes more than 1024x1024x64");
  EXPECT_EQ(problem(Extent{1, 65536, 1}, Extent{32, 1, 1}),
            begin + "grid 1x65536x1: no GPU takes more than 2147483647x65535x65535");
  EXPECT_EQ(problem(Extent{2147483647, 65535, 65535}, Extent{1, 16, 64}), "0 problems");
}

TEST(PredictFunction, LeavesOutALaunchThatDoesNotFitAndKeepsTheOthers) {
  const Kernel kernel("mul.lo.s32 %r9, %r3, %r2;\n" + kLoad);
  LaunchesOfKernel known = Launch(2);
  const AccessPrediction alone = kernel.Predict(&known);
  KnownLaunch wrong;
  wrong.grid = address::Extent{1000, 1, 1};
  wrong.block = address::Extent{1, 1, 65};
  known.launches.push_back(wrong);
  wrong = {};
  wrong.by_name["height"] = 7;
  known.launches.push_back(wrong);
  const AccessPrediction with_wrong_ones = kernel.Predict(&known);
  EXPECT_EQ(with_wrong_ones.least, alone.least);
  EXPECT_EQ(with_wrong_ones.most, alone.most);
  EXPECT_EQ(kernel.AssumedFor(known.launches), "block 64x1x1, grid 4x1x1");
  EXPECT_EQ(kernel.AssumedFor({wrong}), "");
}

TEST(PredictFunction, SaysTheSameOfLaunchesInAnyOrder) {
  const Kernel kernel("mul.lo.s32 %r9, %r3, %r2;\n" + kLoad);
  const KnownLaunch given = Launch(1).launches[0];
  KnownLaunch possible;
  possible.block = address::Extent{64, 1, 1};
  possible.by_number[1] = 8;
  const LaunchesOfKernel one{{given, possible}}, other{{possible, given}};
  const AccessPrediction first = kernel.Predict(&one), second = kernel.Predict(&other);
  EXPECT_EQ(first.least, second.least);
  EXPECT_EQ(first.most, second.most);
  EXPECT_EQ(Least(first), 0);
  EXPECT_DOUBLE_EQ(Most(first), 0.875);
}

TEST(PredictFunction, SaysWhichLaunchesItHoldsFor) {
  const Kernel kernel("mov.u32 %r9, %r3;\n" + kLoad);
  KnownLaunch wide, narrow;
  wide.block = address::Extent{128, 1, 1};
  wide.grid = address::Extent{32, 1, 1};
  narrow.grid = address::Extent{32, 1, 1};  // its words are a part of the other's
  narrow.by_name = {{"n", 4}, {"m", 5}};
  EXPECT_EQ(kernel.AssumedFor({wide, narrow, wide}),
            "block 128x1x1, grid 32x1x1; grid 32x1x1, n = 4");
  narrow.by_name.clear();
  EXPECT_EQ(kernel.AssumedFor({wide, narrow}), "block 128x1x1, grid 32x1x1; grid 32x1x1");
}

TEST(PredictFunction, TakesNoArgumentThatCouldBeAnother) {
  KnownLaunch launch;
  launch.origin = kByHand;
  launch.by_number[1] = 8;
  launch.by_name["n"] = 16;
  const Kernel kernel("mul.lo.s32 %r9, %r3, %r2;\n" + kLoad);
  const auto twice = kernel.Problems(launch);
  ASSERT_EQ(twice.size(), 1U);
  EXPECT_EQ(twice[0], "--launch does not fit k: n: it was given as arg2, too: both were left out");
  EXPECT_EQ(kernel.AssumedFor({launch}), "");
  launch.by_name.clear();
  const auto other = kernel.Problems(launch, {"arg2", "n"});
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(other[0],
            "--launch does not fit k: arg2: the source calls parameter 1 so, which is arg1: left "
            "out");
}

TEST(PredictFunction, NamesArgumentsThatDoNotFit) {
  const Kernel kernel("mov.u32 %r9, %r3;\n" + kLoad);
  KnownLaunch launch;
  launch.origin = "run.rec";
  launch.arguments.assign(8, '\0');
  launch.argument_bytes = 8;
  const auto problems = kernel.Problems(launch);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0],
            "run.rec does not fit k: it has 8 bytes of arguments, and the kernel takes 12: those "
            "of another build were left out");
  for (const auto& [name, value, why] :
       {std::tuple("width", 1LL, "width: it has no such parameter, but data, n"),
        std::tuple("n", 1LL << 40, "n: 1099511627776 does not fit into its 4 bytes")}) {
    KnownLaunch by_hand;
    by_hand.origin = kByHand;
    by_hand.by_name[name] = value;
    const auto said = kernel.Problems(by_hand);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0], std::string("--launch does not fit k: ") + why);
  }
}

TEST(PredictFunction, TellsThatLoadedValuesMakeLanesDiffer) {
  const AccessPrediction one =
      Kernel("mul.wide.s32 %rd4, %r3, 4;\nadd.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r9, [%rd5];\n" +
             kLoad)
          .Predict();
  EXPECT_FALSE(one.open.lanes_by_data);  // the first access, which loads the index
  const Kernel gather(
      "mul.wide.s32 %rd4, %r3, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
      "ld.shared.u32 %r9, [%r3];\n" +
      kLoad);
  EXPECT_TRUE(gather.Predict().open.lanes_by_data);
}

// Kernels call read(float* p, int i), which loads p[i] in line 8; each gives it the index that the
// instructions in `indices` leave in %r2.
FunctionPrediction PredictCalled(const std::vector<std::string>& indices) {
  std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".func read(.param .b64 p, .param .b32 i)\n{\n"
      "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [i];\n"
      "mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
      "ld.global.f32 %f1, [%rd3];\nret;\n}\n";
  std::vector<std::string> names;
  for (const std::string& index : indices) {
    names.push_back("_Z2k" + std::to_string(names.size()) + "Pfi");
    text += ".visible .entry " + names.back() +
            "(.param .u64 k_0, .param .u32 k_1)\n{\n"
            "ld.param.u64 %rd1, [k_0]; mov.u32 %r1, %tid.x;\n" +
            index +
            "{ .param .b64 a; st.param.b64 [a], %rd1; .param .b32 b; st.param.b32 [b], %r2;\n"
            "call.uni read, (a, b); }\nret;\n}\n";
  }
  cubin::Function called;
  called.ptx_text = text;
  called.name = "read";
  cubin::GlobalAccess access;
  access.width = Bytes(4);
  access.ptx_line = 8;
  called.accesses.push_back(access);
  address::PtxModules modules;
  const address::AccessFormulas of_called(called, modules);
  std::list<KernelPrediction> predictions;
  std::vector<const KernelPrediction*> callers;
  for (const std::string& name : names) {
    cubin::Function kernel;
    kernel.name = name;
    kernel.is_kernel = true;
    kernel.ptx_text = text;
    const address::AccessFormulas of_kernel(kernel, modules);
    callers.push_back(&predictions.emplace_back(kernel, of_kernel, modules, LaunchesToPredict{}));
  }
  return PredictFunction(called, of_called, callers);
}

TEST(PredictFunction, JudgesACalledFunctionByWhatItsKernelPasses) {
  const auto alone = [](const std::vector<std::string>& indices) {
    return PredictCalled(indices).accesses.begin()->second;
  };
  const std::string side_by_side = "mov.u32 %r2, %r1;\n", apart = "mul.lo.s32 %r2, %r1, 8;\n";
  EXPECT_GT(alone({side_by_side}).most.requests, Requests(0));
  EXPECT_EQ(Most(alone({side_by_side})), 0);
  EXPECT_DOUBLE_EQ(Least(alone({apart})), 0.875);
  // Each of the kernels may be the only one that is launched.
  EXPECT_EQ(Least(alone({side_by_side, apart})), 0);
  EXPECT_DOUBLE_EQ(Most(alone({apart, side_by_side})), 0.875);
}

TEST(PredictFunction, JudgesNoFunctionThatNoKernelIsKnownToCall) {
  const Kernel kernel("mov.u32 %r9, %r3;\n" + kLoad);
  EXPECT_EQ(kernel.PredictWithoutCaller().open.why, "no kernel in the file is known to call it");
}

TEST(PredictFunction, ReachesAnAccessBehindALoopOfUnknownRounds) {
  const AccessPrediction one = Kernel(
                                   "mov.u32 %r9, %r3;\nL:\nadd.s32 %r9, %r9, 1024;\n"
                                   "setp.lt.s32 %p1, %r9, %r2;\n@%p1 bra L;\n" +
                                   kLoad)
                                   .Predict();
  EXPECT_GT(one.most.requests, Requests(0));
}

constexpr char kDataDecide[] = "ld.global.u32 %r8, [%rd1];\nsetp.ne.s32 %p1, %r8, 0;\n";
// Element 8 * i of thread i, in an order that %r6 decides.
const std::string kShuffled = "shl.b32 %r10, %r3, 3;\nxor.b32 %r9, %r10, %r6;\n" + kLoad;

TEST(PredictFunction, ComesToAnAccessBehindLoopsThatTakeLong) {
  std::string loops;
  for (int i = 0; i < 20; ++i) loops += "ld.global.f32 %f2, [%rd1];\n";
  for (int i = 0; i < 9; ++i) {
    const std::string label = "L" + std::to_string(i);
    loops = label + ":\nld.global.f32 %f2, [%rd1];\n" + loops + "@%p1 bra " + label + ";\n";
  }
  const Kernel kernel(kDataDecide + ("mov.u32 %r6, 0;\nadd.s32 %r6, %r6, 8;\n" + loops) +
                      kShuffled);
  EXPECT_EQ(kernel.PredictLongLaunch(Launch(5), 0).open.why,
            "no warp that was followed comes to it");
  const AccessPrediction one = kernel.PredictLongLaunch(Launch(5), 3'000'000);
  EXPECT_EQ(one.open.why, "");
  EXPECT_DOUBLE_EQ(Least(one), 0.875);
}

TEST(PredictFunction, ComesToAnAccessOfALaterRoundOfALoop) {
  const Kernel kernel(kDataDecide + ("mov.u32 %r6, 0;\nL:\nadd.s32 %r6, %r6, 1;\n"
                                     "setp.lt.s32 %p2, %r6, 4;\n@%p2 bra M;\n" +
                                     kShuffled + "M:\n@%p1 bra L;\n"));
  EXPECT_EQ(kernel.PredictLongLaunch(Launch(5), 0).open.why,
            "no warp that was followed comes to it");
  const AccessPrediction one = kernel.PredictLongLaunch(Launch(5), 1'000'000);
  EXPECT_EQ(one.open.why, "");
  EXPECT_GE(Most(one), 0.875);
}

TEST(PredictFunction, SaysOfAHundredWrongValuesTheFirstAndHowMany) {
  const Kernel kernel("mov.u32 %r9, %r3;\n" + kLoad);
  KnownLaunch launch;
  launch.origin = kByHand;
  launch.block = address::Extent{32, 1, 1};
  for (int i = 0; i < 100; ++i) launch.by_name["x" + std::to_string(i)] = i;
  const auto problems = kernel.Problems(launch);
  ASSERT_EQ(problems.size(), 9U);
  EXPECT_EQ(problems.back(), "--launch does not fit k: 92 more values are wrong");
}

}  // namespace
}  // namespace coalcheck::prediction
