// SPDX-License-Identifier: Apache-2.0
//
// What the machine code is explained as has to give the addresses that the host computes.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/address/fixtures.h"
#include "tests/unit/address/host_indices.h"

namespace coalcheck::address {
namespace {

Values ValuesOf(const Launch& launch) {
  Values values{{launch.threadIdx.x, launch.threadIdx.y, launch.threadIdx.z},
                {launch.blockIdx.x, launch.blockIdx.y, launch.blockIdx.z},
                {launch.blockDim.x, launch.blockDim.y, launch.blockDim.z},
                {launch.gridDim.x, launch.gridDim.y, launch.gridDim.z},
                {},
                static_cast<std::uint64_t>(launch.round)};
  values.parameters = {{1, kOut},
                       {2, Subscript(launch.n)},
                       {3, launch.m},
                       {4, static_cast<std::uint64_t>(launch.w)}};
  return values;
}

// A step that is true within a row is wrong at the ends of rows only, and rows are longer than a
// few.
void ExpectSameWithinRows(const Kernel& kernel, const AddressExpression& address,
                          std::uint64_t unit) {
  const std::optional<LaneStep> step = StepInX(address);
  ASSERT_TRUE(step && step->bytes);
  std::mt19937 draw(7);
  constexpr unsigned kThreads = 512;
  for (int i = 0; i < 20; ++i) {
    Launch launch = DrawLaunch(draw);
    unsigned ends = 0;
    for (unsigned x = 0; x + 1 < kThreads; ++x) {
      launch.threadIdx.x = x;
      Launch next = launch;
      ++next.threadIdx.x;
      const std::uint64_t apart = kernel.element * (kernel.index(next) - kernel.index(launch));
      ends += (apart - static_cast<std::uint64_t>(*step->bytes)) % unit == 0 ? 0U : 1U;
    }
    ASSERT_GT(ends, 0U);
    ASSERT_LT(ends, kThreads / 11);
  }
}

// Index arithmetic that wraps in 32 bits is outside of what an expression promises; it is right
// modulo 2^32 even so.
void ExpectSameAddresses(const Kernel& kernel, const AddressExpression& address,
                         std::uint64_t unit) {
  if (address.in_rows) return ExpectSameWithinRows(kernel, address, unit);
  std::mt19937 draw(7);
  for (int i = 0; i < 100; ++i) {
    const Launch launch = DrawLaunch(draw);
    Launch other = launch;  // a lane of the same warp
    other.threadIdx.x = launch.threadIdx.x ^ (1U << (draw() % 5));
    const std::uint64_t here = kernel.element * kernel.index(launch);
    const std::uint64_t there = kernel.element * kernel.index(other);
    const std::uint64_t explained_here = Evaluate(address, ValuesOf(launch));
    const std::uint64_t explained_there = Evaluate(address, ValuesOf(other));
    // Bits of something that has no number here could be anything.
    if (HasClosedBits(address)) {
      ASSERT_EQ((explained_there - explained_here) % unit, (there - here) % unit);
    }
    if (const auto step = StepInX(address); step && step->bytes) {
      const std::uint64_t steps = other.threadIdx.x - std::uint64_t{launch.threadIdx.x};
      ASSERT_EQ(static_cast<std::uint64_t>(*step->bytes) * steps % unit, (there - here) % unit);
    }
    if (address.lanes == LaneDependence::kNone) {
      ASSERT_EQ((there - here) % unit, 0U);
    }
    if (!kernel.loops && IsClosed(address)) {
      ASSERT_EQ(explained_here % unit, (kOut + here) % unit);
    }
  }
}

constexpr std::uint64_t kModulo32 = std::uint64_t{1} << 32U;
constexpr std::uint64_t kAll = std::uint64_t{1} << 63U;

TEST(CompiledIndex, OfEachKindIsExplainedAsTheHostComputesIt) {
  if (FixtureArchitectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::uint32_t sm : FixtureArchitectures()) {
    for (const Kernel& kernel : ChosenKernels()) {
      SCOPED_TRACE(std::string(kernel.name) + " for sm_" + std::to_string(sm));
      const std::vector<ExplainedAccess> accesses = ExplainFixture(sm, kernel.name);
      ASSERT_FALSE(accesses.empty());
      std::size_t explained = 0;
      for (const ExplainedAccess& access : accesses) {
        if (!IsExplained(access.address)) continue;
        ++explained;
        ExpectSameAddresses(kernel, access.address, kAll);
      }
      // What follows a loop that lanes leave in different rounds is rightly not known.
      EXPECT_GE(explained, kernel.loops ? 1 : accesses.size());
    }
  }
}

TEST(CompiledIndex, DrawnAtRandomIsNeverExplainedWrongly) {
  if (FixtureArchitectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::uint32_t sm : FixtureArchitectures()) {
    std::size_t explained = 0;
    for (const Kernel& kernel : RandomKernels()) {
      SCOPED_TRACE(std::string(kernel.name) + " for sm_" + std::to_string(sm));
      for (const ExplainedAccess& access : ExplainFixture(sm, kernel.name)) {
        if (!IsExplained(access.address)) continue;
        ++explained;
        ExpectSameAddresses(kernel, access.address, kModulo32);
      }
    }
    RecordProperty("explained_sm_" + std::to_string(sm), static_cast<int>(explained));
    EXPECT_GE(explained * 100, RandomKernels().size() * 85) << "for sm_" << sm;
  }
}

}  // namespace
}  // namespace coalcheck::address
