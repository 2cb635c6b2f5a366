// SPDX-License-Identifier: Apache-2.0
//
// How many accesses compiled kernels are taken to make, on every architecture.
#include "libcoalcheck/machine_code/access_rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/unit/machine_code/waiting_fixtures.h"

namespace coalcheck::machine_code {
namespace {

void OnEachArchitecture(const std::string& fixture, const std::string& kernel,
                        const std::function<void(const AccessRounds&)>& expect,
                        const LaunchSize& launch = {}) {
  if (Architectures().empty()) GTEST_SKIP() << "nvcc was not found when this was configured";
  for (const std::string& sm : Architectures()) {
    SCOPED_TRACE(kernel + " on sm_" + sm);
    const std::string cubin = ReadFixture(fixture + "_" + sm + ".cubin");
    const std::optional<AccessRounds> rounds = CountAccessRounds(cubin, kernel, launch);
    ASSERT_TRUE(rounds.has_value());
    expect(*rounds);
  }
}

// The rounds of all loops are known, and a thread makes so many accesses.
void ExpectBounded(const std::string& fixture, const std::string& kernel, double least,
                   double below, const LaunchSize& launch) {
  OnEachArchitecture(
      fixture, kernel,
      [=](const AccessRounds& rounds) {
        EXPECT_FALSE(rounds.in_loops);
        EXPECT_GE(rounds.accesses, least);
        EXPECT_LT(rounds.accesses, below);
      },
      launch);
}

TEST(AccessRounds, OfAKernelWithoutLoopsAreTheAccessesInItsCode) {
  OnEachArchitecture("working", "empty", [](const AccessRounds& rounds) {
    EXPECT_EQ(rounds.accesses, 0);
    EXPECT_FALSE(rounds.in_loops);
  });
  OnEachArchitecture("working", "read_volatile_once", [](const AccessRounds& rounds) {
    EXPECT_EQ(rounds.accesses, 2);
    EXPECT_FALSE(rounds.in_loops);
  });
}

TEST(AccessRounds, OfLoopsOverSharedMemoryAreNotMore) {
  OnEachArchitecture("working", "bitonic_sort", [](const AccessRounds& rounds) {
    EXPECT_EQ(rounds.accesses, 2);
    EXPECT_FALSE(rounds.in_loops);
  });
}

TEST(AccessRounds, OfALoopAreAHundredTimesThose) {
  OnEachArchitecture("working", "copy_in_a_grid_stride_loop", [](const AccessRounds& rounds) {
    EXPECT_TRUE(rounds.in_loops);
    EXPECT_GE(rounds.accesses, 2 * kRoundsOfALoop);
    EXPECT_LT(rounds.accesses, 60 * kRoundsOfALoop);  // the compiler unrolls it
    EXPECT_GT(rounds.instructions, 2 * rounds.accesses);
    EXPECT_LT(rounds.instructions, 30 * rounds.accesses);
  });
}

// Two pointers and the number that loops count up to.
std::string Parameters(std::uint32_t pointers, std::uint32_t count) {
  std::string bytes(std::size_t{8} * pointers, '\xff');
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(count >> (8 * i)));
  return bytes;
}

TEST(AccessRounds, OfALoopThatCountsUpToAnArgumentInStepsOfTheGridAreThatMany) {
  const std::string parameters = Parameters(2, 1U << 20);
  constexpr std::uint32_t kRounds = (1U << 20) / (8 * 256);
  ExpectBounded("working", "copy_in_a_grid_stride_loop", 2 * kRounds, 8 * kRounds,
                {.grid = {8, 1, 1}, .block = {256, 1, 1}, .parameters = parameters});
}

TEST(AccessRounds, OfALoopThatCountsUpToAnArgumentInConstantStepsAreThatMany) {
  const std::string parameters = Parameters(3, 16'000);
  ExpectBounded("working", "tiled_product", 2 * 1000 + 1, 2 * 1000 * 4,
                {.grid = {1000, 1000, 1}, .block = {16, 16, 1}, .parameters = parameters});
}

TEST(AccessRounds, OfLoopsThatBeginBelowZeroAreThatManyInEach) {
  std::string parameters = Parameters(2, 224);
  parameters += Parameters(0, 224) + Parameters(0, 11);
  ExpectBounded("loops", "around_each", 11 * 11 + 1, 11 * 11 * 4,
                {.grid = {14, 14, 1}, .block = {16, 16, 1}, .parameters = parameters});
}

TEST(AccessRounds, OfALoopOf64BitsThatIsLeftBehindAWholeNumberOfCopiesAreThatMany) {
  std::string parameters = Parameters(3, 4096);
  parameters += Parameters(0, 0) + Parameters(0, 4096) + Parameters(0, 0);
  ExpectBounded("loops", "dot_of_columns", 2 * 4096 + 1, 2 * 4096 * 4,
                {.grid = {128, 128, 1}, .block = {32, 32, 1}, .parameters = parameters});
}

TEST(AccessRounds, OfALoopWhoseEndMemoryDecidesAreAGuessWhateverTheArguments) {
  const std::string parameters = Parameters(5, 1'000'000);
  OnEachArchitecture("working", "sparse_rows",
                     [](const AccessRounds& rounds) { EXPECT_TRUE(rounds.in_loops); },
                     {.grid = {1000, 1, 1}, .block = {128, 1, 1}, .parameters = parameters});
}

TEST(AccessRounds, OfALoopInALoopAreAThousandTimesThose) {
  OnEachArchitecture("working", "sparse_rows", [](const AccessRounds& rounds) {
    EXPECT_GE(rounds.accesses, 3 * kRoundsOfALoop * kRoundsOfAnInnerLoop);
    EXPECT_LT(rounds.accesses, 80 * kRoundsOfALoop * kRoundsOfAnInnerLoop);
  });
}

TEST(AccessRounds, OfALoopAroundACallAreThoseOfTheFunctionInEachRound) {
  OnEachArchitecture("working", "loop_around_a_callee", [](const AccessRounds& rounds) {
    EXPECT_TRUE(rounds.in_loops);
    EXPECT_GE(rounds.accesses, 9 * kRoundsOfALoop);
    EXPECT_LT(rounds.accesses, 100 * kRoundsOfALoop);
  });
}

TEST(AccessRounds, FollowCallsToFunctionsLinkedIn) {
  OnEachArchitecture("linked", "waits_elsewhere", [](const AccessRounds& rounds) {
    EXPECT_TRUE(rounds.in_loops);
    EXPECT_GE(rounds.accesses, kRoundsOfALoop + 1);
  });
}

TEST(AccessRounds, AreNotKnownWhereThereIsNoCode) {
  EXPECT_FALSE(CountAccessRounds("", "kernel").has_value());
  EXPECT_FALSE(CountAccessRounds("no cubin at all", "kernel").has_value());
  if (Architectures().empty()) return;
  const std::string cubin = ReadFixture("working_" + Architectures().front() + ".cubin");
  EXPECT_FALSE(CountAccessRounds(cubin, "not_in_it").has_value());
}

}  // namespace
}  // namespace coalcheck::machine_code
