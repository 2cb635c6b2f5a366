// SPDX-License-Identifier: Apache-2.0
//
// What the PTX of an index is explained as has to give the addresses that the host computes.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/address/formula_words.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/ptx/reader.h"
#include "tests/unit/address/fixtures.h"
#include "tests/unit/address/formula_value.h"
#include "tests/unit/address/host_indices.h"

namespace coalcheck::address {
namespace {

constexpr std::uint64_t kModulo32 = std::uint64_t{1} << 32U;
constexpr std::uint64_t kAll = std::uint64_t{1} << 63U;

std::int64_t SpecialOf(const Launch& launch, ptx::Special special) {
  const Index* const groups[] = {&launch.threadIdx, &launch.blockDim, &launch.blockIdx,
                                 &launch.gridDim};
  const auto number = static_cast<std::size_t>(special);
  const Index& group = *groups[number / 3];
  return number % 3 == 0 ? group.x : (number % 3 == 1 ? group.y : group.z);
}

// Rounds are those of the first loop; a loop that compilers made of the rest had none before.
LeafValue LeavesOf(const Launch& launch) {
  return [&launch](const FormulaAtom& atom) -> std::optional<std::int64_t> {
    switch (atom.kind) {
      case FormulaKind::kSpecial:
        if (atom.a > static_cast<std::uint32_t>(ptx::Special::kNctaidZ)) return std::nullopt;
        return SpecialOf(launch, static_cast<ptx::Special>(atom.a));
      case FormulaKind::kParameter:
        if (atom.a == 0) return static_cast<std::int64_t>(kOut);
        if (atom.a == 1) return launch.n;
        if (atom.a == 2) return launch.m;
        return launch.w;
      default:
        return std::nullopt;
    }
  };
}

class Indexed {
 public:
  Indexed(std::uint32_t sm, const Kernel& kernel)
      : function_(FixturePtx(sm).Read(*FixturePtx(sm).Find(kernel.name))),
        flow_(function_),
        formulas_(function_, flow_),
        lanes_(formulas_),
        kernel_(kernel) {}

  // How many accesses have a formula that was compared; adds a failure for each difference.
  void Compare(std::uint64_t unit, std::size_t& explained, std::size_t& all,
               std::size_t& compared) {
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      const Formula* address = formulas_.Of(i);
      if (address == nullptr) continue;
      ++all;
      if (formulas_.HasUnknownPart(*address)) continue;
      ++explained;
      EXPECT_FALSE(Words(formulas_, *address, {}).empty());
      CompareLanes(*address, lanes_.Of(i), unit);
    }
    compared += compared_;
  }

 private:
  void CompareLanes(const Formula& address, const LanePart& part, std::uint64_t unit) {
    std::mt19937 draw(7);
    for (int i = 0; i < 100; ++i) {
      const Launch launch = DrawLaunch(draw);
      Launch other = launch;
      other.threadIdx.x = launch.threadIdx.x ^ (1U << (draw() % 5));
      const std::uint64_t here = kernel_.element * kernel_.index(launch);
      const std::uint64_t there = kernel_.element * kernel_.index(other);
      const auto value = ValueOf(formulas_.atoms(), address, LeavesOf(launch));
      if (!value && unit == kAll && !kernel_.loops) {
        ADD_FAILURE() << "no number: " << Words(formulas_, address, {});
        return;
      }
      if (!kernel_.loops && value) {
        ++compared_;
        ASSERT_EQ(static_cast<std::uint64_t>(*value) % unit, (kOut + here) % unit)
            << Words(formulas_, address, {});
      }
      if (part.kind == LanePart::Kind::kNone) {
        ASSERT_EQ((there - here) % unit, 0U);
      }
      if (const auto step = part.step) {
        const auto bytes = ValueOf(formulas_.atoms(), *step, LeavesOf(launch));
        if (!bytes) continue;
        const std::uint64_t steps = other.threadIdx.x - std::uint64_t{launch.threadIdx.x};
        ASSERT_EQ(static_cast<std::uint64_t>(*bytes) * steps % unit, (there - here) % unit)
            << Words(formulas_, address, {});
      }
    }
  }

  ptx::Function function_;
  ptx::ControlFlow flow_;
  FunctionFormulas formulas_;
  FormulaLanes lanes_;
  const Kernel& kernel_;
  std::size_t compared_ = 0;
};

TEST(CompiledFormula, OfEachKindGivesTheAddressesThatTheHostComputes) {
  if (FixtureArchitectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::uint32_t sm : FixtureArchitectures()) {
    for (const Kernel& kernel : ChosenKernels()) {
      SCOPED_TRACE(std::string(kernel.name) + " for sm_" + std::to_string(sm));
      std::size_t explained = 0;
      std::size_t all = 0;
      std::size_t compared = 0;
      Indexed(sm, kernel).Compare(kAll, explained, all, compared);
      EXPECT_GT(all, 0U);
      EXPECT_EQ(explained, all);
    }
  }
}

// Index arithmetic that wraps in 32 bits is outside of what a formula promises. It is right modulo
// 2^32 even so, unless what has wrapped is divided: then there is no number.
TEST(CompiledFormula, DrawnAtRandomGivesTheAddressesThatTheHostComputes) {
  if (FixtureArchitectures().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const std::uint32_t sm : FixtureArchitectures()) {
    std::size_t explained = 0;
    std::size_t all = 0;
    std::size_t compared = 0;
    for (const Kernel& kernel : RandomKernels()) {
      SCOPED_TRACE(std::string(kernel.name) + " for sm_" + std::to_string(sm));
      Indexed(sm, kernel).Compare(kModulo32, explained, all, compared);
    }
    EXPECT_GT(compared, 80 * all) << "of 100 launches each";
    EXPECT_EQ(explained, all) << "for sm_" << sm;
  }
}

}  // namespace
}  // namespace coalcheck::address
