// SPDX-License-Identifier: Apache-2.0
//
// Which kernels files hold, and which launches are whose.
#include "libcoalcheck/prediction/held_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coalcheck::prediction {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A kernel that loads one element behind another, `step` bytes apart.
std::string Ptx(const std::string& step, const std::string& line = "1", const char* label = "$L1") {
  return ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n.file 2 \"k.cu\"\n"
         ".visible .entry k(.param .u64 k_0)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n.loc " +
         line + " 7 3\nld.param.u64 %rd1, [k_0]; mov.u32 %r1, %tid.x;\nbra " + label + ";\n" +
         label + ":\nmul.wide.u32 %rd2, %r1, " + step +
         "; add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, [%rd3];\nret;\n}\n";
}

class Files {
 public:
  Files& Add(const std::string& text, const std::string& file) {
    ids.push_back(HashCubin(text));
    cubins.Add(ids.back(), text, file);
    return *this;
  }
  HeldCode Read(KnownLaunches launches = {}) const {
    auto code = HeldCode::Read(cubins, 0, std::move(launches));
    EXPECT_TRUE(code.ok()) << code.status();
    return *std::move(code);
  }

  HeldCubins cubins;
  std::vector<CubinId> ids;
};

KnownLaunch Launch(std::uint32_t threads, const std::string& origin = "run.rec") {
  KnownLaunch launch;
  launch.block = address::Extent{threads, 1, 1};
  launch.origin = origin;
  return launch;
}

std::uint32_t ThreadsOf(const LaunchesOfKernel* launches) {
  return launches == nullptr ? 0 : launches->launches.front().block->x;
}

TEST(HeldCode, NamesKernelsOfOneNameThatDiffer) {
  const HeldCode code = Files().Add(Ptx("4"), "a.ptx").Add(Ptx("8"), "b.ptx").Read();
  EXPECT_TRUE(code.IsAmbiguous("k"));
  EXPECT_THAT(code.problems(), ElementsAre("k is the name of different kernels, in a.ptx, b.ptx"));
}

TEST(HeldCode, TakesAKernelInTwoFilesForOneWhereverItsLinesAndLabelsAre) {
  const HeldCode code =
      Files().Add(Ptx("4"), "a.ptx").Add(Ptx("4", "2", "$L__BB7_2"), "b.ptx").Read();
  EXPECT_FALSE(code.IsAmbiguous("k"));
  EXPECT_THAT(code.problems(), IsEmpty());
}

// A kernel that calls a function whose accesses are so many bytes apart.
std::string PtxOfCaller(const std::string& step) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".func f(.param .b64 f_0)\n{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [f_0];\n"
         "mad.lo.u64 %rd2, %rd1, " +
         step +
         ", %rd1;\nst.global.u32 [%rd2], 1;\nret;\n}\n"
         ".visible .entry k(.param .u64 k_0)\n{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [k_0];\n"
         "{\n.param .b64 param0;\nst.param.b64 [param0], %rd1;\ncall.uni f, (param0);\n}\n"
         "ret;\n}\n";
}

TEST(HeldCode, TellsKernelsApartByTheFunctionsThatTheyCall) {
  EXPECT_TRUE(Files()
                  .Add(PtxOfCaller("4"), "a.ptx")
                  .Add(PtxOfCaller("8"), "b.ptx")
                  .Read()
                  .IsAmbiguous("k"));
  EXPECT_FALSE(Files()
                   .Add(PtxOfCaller("4"), "a.ptx")
                   .Add(PtxOfCaller("4") + "\n", "b.ptx")
                   .Read()
                   .IsAmbiguous("k"));
}

TEST(HeldCode, KnowsFunctionsThatSeveralFilesHold) {
  Files files;
  files.Add(PtxOfCaller("4"), "a.ptx");
  EXPECT_FALSE(files.Read().IsFunctionOfMany("f"));
  files.Add(PtxOfCaller("4") + "\n", "b.ptx");
  EXPECT_TRUE(files.Read().IsFunctionOfMany("f"));
  EXPECT_FALSE(files.Read().IsFunctionOfMany("k"));
}

TEST(HeldCode, GivesDifferentKernelsOfOneNameTheLaunchesOfTheirOwnCubins) {
  Files files;
  files.Add(Ptx("4"), "a.ptx").Add(Ptx("8"), "b.ptx");
  KnownLaunches launches;
  KnownLaunch own = Launch(64);
  own.cubins = {files.ids[1]};
  launches.recorded["k"].launches = {Launch(32, "old.rec"), own};
  const HeldCode code = files.Read(launches);
  EXPECT_EQ(code.LaunchesOf(files.ids[0], "k", {}), nullptr);
  const LaunchesOfKernel* its = code.LaunchesOf(files.ids[1], "k", {});
  ASSERT_NE(its, nullptr);
  EXPECT_EQ(its->launches.size(), 1U);
  EXPECT_EQ(ThreadsOf(its), 64U);
  EXPECT_THAT(code.problems(),
              ElementsAre("k is the name of different kernels, in a.ptx, b.ptx",
                          "launches of k in old.rec were left out: different kernels have that "
                          "name"));
}

TEST(HeldCode, NamesRecordedKernelsThatAreInNoneOfTheFiles) {
  KnownLaunches launches;
  launches.recorded["k"].launches = {Launch(32)};
  launches.recorded["m"].launches = {Launch(32)};
  const Files files = Files().Add(Ptx("4"), "a.ptx");
  EXPECT_THAT(files.Read(launches).problems(),
              ElementsAre("run.rec: 1 of its kernels is in none of the files: m"));
  launches.recorded["n"].launches = {Launch(32)};
  EXPECT_THAT(files.Read(launches).problems(),
              ElementsAre("run.rec: 2 of its kernels are in none of the files: m, …"));
}

TEST(HeldCode, TakesLaunchesByHandThenRecordedThenOfTheSourceThenOfAny) {
  const Files files = Files().Add(Ptx("4"), "a.ptx");
  const LaunchesOfKernel by_source{{Launch(96)}};
  const auto threads = [&](const KnownLaunches& launches, const LaunchesOfKernel& source) {
    return ThreadsOf(files.Read(launches).LaunchesOf(files.ids[0], "k", source));
  };
  KnownLaunches launches;
  EXPECT_EQ(threads(launches, {}), 0U);
  launches.of_any = Launch(128);
  EXPECT_EQ(threads(launches, {}), 128U);
  EXPECT_EQ(threads(launches, by_source), 96U);
  launches.recorded["k"].launches = {Launch(64)};
  EXPECT_EQ(threads(launches, by_source), 64U);
  launches.by_hand = {{"k", Launch(32)}};
  EXPECT_EQ(threads(launches, by_source), 32U);
}

}  // namespace
}  // namespace coalcheck::prediction
