// SPDX-License-Identifier: Apache-2.0
//
// The host as an oracle: each index of the fixtures is evaluated here by the same C++ expression
// that was compiled for the GPU, and what the machine code is explained as has to give the same
// addresses.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/unit/address/fixtures.h"

namespace coalcheck::address {
namespace {

struct Index {
  unsigned x, y, z;
};

// A thread of a launch, under the names it has in a kernel, and the round of its loop.
struct Launch {
  Index threadIdx, blockIdx, blockDim, gridDim;
  int n;
  unsigned m;
  long long w;
  int round;
};

struct Kernel {
  const char* name;
  std::uint64_t element;
  bool loops;
  std::function<std::uint64_t(const Launch&)> index;
};

#define UNPACK                                                                           \
  [[maybe_unused]] const Index threadIdx = launch.threadIdx, blockIdx = launch.blockIdx, \
                               blockDim = launch.blockDim, gridDim = launch.gridDim;     \
  [[maybe_unused]] const int n = launch.n;                                               \
  [[maybe_unused]] const unsigned m = launch.m;                                          \
  [[maybe_unused]] const long long w = launch.w;

// As the subscript of a pointer converts it.
template <typename T>
std::uint64_t Subscript(T index) {
  return static_cast<std::uint64_t>(static_cast<long long>(index));
}

#define INDEX(name, element, expression) \
  {#name, sizeof(element), false,        \
   [](const Launch& launch) -> std::uint64_t { UNPACK return Subscript(expression); }},
#define LOOP(name, element, start, step, expression)                         \
  {#name, sizeof(element), true, [](const Launch& launch) -> std::uint64_t { \
     UNPACK const int i = (start) + launch.round * (step);                   \
     return Subscript(expression);                                           \
   }},

const std::vector<Kernel>& ChosenKernels() {
  static const std::vector<Kernel> kernels{
#include "tests/unit/address/fixtures/indices.inc"
  };
  return kernels;
}

const std::vector<Kernel>& RandomKernels() {
  static const std::vector<Kernel> kernels{
#include "tests/unit/address/fixtures/random_indices.inc"
  };
  return kernels;
}

Launch DrawLaunch(std::mt19937& draw) {
  const auto below = [&draw](unsigned most) { return static_cast<unsigned>(draw() % most); };
  Launch launch{};
  launch.blockDim = {32 * (1 + below(4)), 1 + below(4), 1 + below(2)};
  launch.gridDim = {1 + below(500), 1 + below(100), 1 + below(50)};
  launch.blockIdx = {below(launch.gridDim.x), below(launch.gridDim.y), below(launch.gridDim.z)};
  launch.threadIdx = {below(launch.blockDim.x), below(launch.blockDim.y), below(launch.blockDim.z)};
  launch.n = 4 + static_cast<int>(below(200));
  launch.m = 1 + below(200);
  launch.w = 1 + static_cast<long long>(below(200));
  launch.round = static_cast<int>(below(6));
  return launch;
}

// Where `out` lies: far from 0, so that halves carry.
constexpr std::uint64_t kOut = 0x7f12'ffff'ff00;

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
