// SPDX-License-Identifier: Apache-2.0
//
// One kernel whose launches differ in what an argument says: each is explained by its own lanes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "libcoalcheck/findings/explaining/explanations.h"

namespace coalcheck::findings {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr PcOffset kLoadPc(0);
constexpr recording::Dim3 kShape{64, 1, 1};
constexpr std::uint64_t kWarps = 8;

// k(float* x, int s) loads x[s * i].
constexpr const char* kStrided =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 p, .param .u32 s)\n{\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r2, [s];\nmov.u32 %r3, %ctaid.x;\n"
    "mov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\nmad.lo.s32 %r1, %r3, %r4, %r5;\n"
    "mul.lo.s32 %r6, %r1, %r2;\nmul.wide.s32 %rd2, %r6, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.f32 %f1, [%rd3];\nret;\n}\n";
constexpr std::uint32_t kLineOfLoad = 18;

// So many sectors a request, and a line for each four of them.
RawCounts CountsOf(std::uint64_t sectors) {
  Counts counts;
  counts.requests = Requests(kWarps);
  counts.lanes = Lanes(32 * kWarps);
  counts.sectors = Sectors(sectors * kWarps);
  counts.ideal = Sectors(4 * kWarps);
  counts.lines = CacheLines((sectors + 3) / 4 * kWarps);
  return RawCounts::From(counts, cubin::AccessKind::kLoad);
}

class ExplainedLaunches : public ::testing::Test {
 protected:
  ExplainedLaunches() {
    function_.name = "k";
    function_.is_kernel = true;
    function_.ptx_text = kStrided;
    cubin::GlobalAccess access;
    access.pc = kLoadPc;
    access.width = Bytes(4);
    access.ptx_line = kLineOfLoad;
    function_.accesses.push_back(access);
  }

  // Eight warps, counted with that step.
  void Count(std::uint32_t step, std::uint64_t sectors, const recording::Dim3& block = kShape) {
    CountedLaunch launch;
    launch.kernel = "k";
    launch.grid = {static_cast<std::uint32_t>(32 * kWarps) / block.x, 1, 1};
    launch.block = block;
    launch.launches = Launches(1);
    launch.arguments.launches = Launches(1);
    launch.arguments.size = Bytes(12);
    launch.arguments.bytes = std::string(12, '\0');
    const std::uint64_t pointer = 0x700000000000;
    std::memcpy(launch.arguments.bytes.data(), &pointer, sizeof(pointer));
    std::memcpy(launch.arguments.bytes.data() + 8, &step, sizeof(step));
    launch.counts[kLoadPc] = CountsOf(sectors);
    counted_.instructions[kLoadPc].counts += CountsOf(sectors);
    counted_.counted.push_back(launch);
  }

  patterns::AddressFact FactOf(std::uint64_t sectors, const recording::Dim3& block = kShape) const {
    address::PtxModules modules;
    StepsLeft steps{1'000'000, 0};
    const Explanations explanations(function_, modules, counted_, steps);
    const Variant variant{block, CountsOf(sectors)};
    return explanations.At(kLoadPc, &variant).fact;
  }

  cubin::Function function_;
  FunctionAggregate counted_;
};

auto HaveStep(std::int64_t step) {
  return Each(Field(&address::ShapeShare::shape, Field(&address::LaneShape::step, step)));
}

TEST_F(ExplainedLaunches, EachIsExplainedByTheLanesOfItsOwnArguments) {
  Count(1, 4);
  Count(33, 32);
  EXPECT_THAT(FactOf(4).shapes, AllOf(Not(IsEmpty()), HaveStep(4)));
  EXPECT_THAT(FactOf(32).shapes, AllOf(Not(IsEmpty()), HaveStep(132)));
}

TEST_F(ExplainedLaunches, ThatAreLikeNoneThatWasEvaluatedHaveNoLanesAndAStepOfTheirOwn) {
  Count(1, 4);
  const patterns::AddressFact fact = FactOf(28);
  EXPECT_THAT(fact.shapes, IsEmpty());
  EXPECT_TRUE(fact.step_of_run);
}

TEST_F(ExplainedLaunches, OfAnotherBlockThatAskForAsMuchLieInTheSameWay) {
  Count(1, 4);
  Count(33, 32, {128, 1, 1});
  EXPECT_THAT(FactOf(32).shapes, AllOf(Not(IsEmpty()), HaveStep(132)));
}

}  // namespace
}  // namespace coalcheck::findings
