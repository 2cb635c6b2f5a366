// SPDX-License-Identifier: Apache-2.0
//
// What the code says beside the counts: addresses in words, the load of an index, local memory; in
// the report and in its text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/output/forms/forms.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kGather = "_Z6gatherPKiPKfPf";  // gather(int const*, float const*, float*)

// out[i] = values[index[i]]: the index is loaded in line 11 of the PTX, its element in line 14.
constexpr std::string_view kPtx = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry _Z6gatherPKiPKfPf(.param .u64 a, .param .u64 b, .param .u64 c)
{
ld.param.u64 %rd1, [a];
ld.param.u64 %rd2, [b];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd1, %rd3;
ld.global.u32 %r2, [%rd4];
mul.wide.s32 %rd5, %r2, 4;
add.s64 %rd6, %rd2, %rd5;
ld.global.f32 %f1, [%rd6];
ret;
}
)";

class ExplainedCode : public FakeCode {
 public:
  explicit ExplainedCode(std::string_view index_file = kSource, std::string_view ptx = kPtx) {
    cubin::Function& function = Add(kCubin, kGather);
    function.ptx_text = ptx;
    function.accesses = {MakeAccess(16, AccessKind::kLoad, {{kGather, index_file, 3}}),
                         MakeAccess(32, AccessKind::kLoad, {{kGather, kSource, 4}})};
    function.accesses[0].ptx_line = 11;
    function.accesses[1].ptx_line = 14;
  }
};

recording::RecordedRun GatherRun() {
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, kGather, {MakeRow(16, 1000, 4, 4), MakeRow(32, 1000, 32, 4)})};
  run.windows[0].inside[0].shape.grid = {1000, 1, 1};
  run.windows[0].inside[0].shape.block = {32, 1, 1};
  return run;
}

std::string TextOf(Code& code, const recording::RecordedRun& run) {
  FakeSources sources;
  const Report report = ReportOn({run}, code, sources);
  return output::Written(output::Format::kText,
                         {report,
                          verdict::Judge(report),
                          sources,
                          {.print_limit = {}, .verbosity = output::Verbosity::kVerbose}});
}

TEST(MachineCode, AScatteredAccessNamesTheLineThatLoadsItsIndex) {
  ExplainedCode code;
  const std::string text = TextOf(code, GatherRun());
  EXPECT_THAT(text, HasSubstr("   address: parameter 2 (float const*) + 4·[loaded in line 3]; "
                              "depends on what is loaded in line 3\n"));
  EXPECT_THAT(text, HasSubstr("   pattern: scattered, by what line 3 loads\n"));
}

TEST(MachineCode, AnIndexThatAnotherFileLoadsIsNamedWithThatFile) {
  ExplainedCode code("/src/app/index.cuh");
  const std::string text = TextOf(code, GatherRun());
  EXPECT_THAT(text, HasSubstr("depends on what is loaded in index.cuh:3\n"));
  EXPECT_THAT(text, HasSubstr("scattered, by what index.cuh:3 loads\n"));
}

TEST(MachineCode, WhatIsNotKnownOfAnAddressIsNotSaid) {
  ExplainedCode code(kSource, "");
  const std::string text = TextOf(code, GatherRun());
  EXPECT_THAT(text, Not(HasSubstr("address:")));
  EXPECT_THAT(text, Not(HasSubstr("by what")));
}

TEST(MachineCode, TheLinesOfLocalMemoryAreSummedAndTheKernelIsNamedOnce) {
  FakeSources sources;
  FakeCode code;
  cubin::Function& function = code.Add(kCubin, kGather);
  function.accesses = {MakeAccess(16, AccessKind::kLoad, {{kGather, kSource, 3}})};
  const auto at = [](std::uint32_t pc, AccessKind kind, std::uint32_t line) {
    return cubin::UncountedAccess{PcOffset(pc), kind, {{kGather, kSource, line}}};
  };
  function.local = {at(32, AccessKind::kStore, 5),
                    at(48, AccessKind::kLoad, 7),
                    at(64, AccessKind::kStore, 7),
                    {PcOffset(80), AccessKind::kLoad, {}}};
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, kGather, {MakeRow(16, 1000, 4, 4)}),
                 MakeWindow(2, kGather, {MakeRow(16, 1000, 4, 4)})};
  const Report report = ReportOn({run}, code, sources);
  ASSERT_EQ(report.local_memory.size(), 3);
  EXPECT_EQ(report.local_memory[0].shown->line, 7);
  EXPECT_EQ(report.local_memory[0].loads, 1);
  EXPECT_EQ(report.local_memory[0].stores, 1);
  EXPECT_THAT(TextOf(code, run),
              HasSubstr("keeps registers or arrays in local memory: 2 loads and 2 stores, most in "
                        "a.cu:7 (instructions in its machine code, not counts)\n"));
}

TEST(MachineCode, BulkCopiesAreNamedAlsoOfAKernelInWhichNothingWasCounted) {
  FakeSources sources;
  FakeCode code;
  cubin::Function& function = code.Add(kCubin, kGather);
  const auto at = [](std::uint32_t pc, AccessKind kind, std::uint32_t line) {
    return cubin::UncountedAccess{PcOffset(pc), kind, {{kGather, kSource, line}}};
  };
  function.bulk = {at(32, AccessKind::kLoad, 5), at(48, AccessKind::kStore, 7),
                   at(64, AccessKind::kReduction, 7)};
  recording::RecordedRun run = MakeRun();
  run.modules = {{ContextId(1), kCubin, Bytes(1000)}};
  run.windows = {MakeWindow(1, kGather, {})};
  const Report report = ReportOn({run}, code, sources);
  ASSERT_EQ(report.bulk_copies.size(), 2);
  EXPECT_EQ(report.bulk_copies[0].shown->line, 7);
  EXPECT_EQ(report.bulk_copies[0].stores, 1);
  EXPECT_EQ(report.bulk_copies[0].reductions, 1);
  const std::string text = TextOf(code, run);
  EXPECT_THAT(text, HasSubstr("moves data by the tensor memory accelerator: 1 load, 1 store, 1 "
                              "reduction, most in a.cu:7; seen in its code, not counted"));
  EXPECT_THAT(text, Not(HasSubstr("no access to global memory")));
}

TEST(MachineCode, AKernelWithoutLocalMemoryIsNotMentioned) {
  ExplainedCode code;
  FakeSources sources;
  EXPECT_THAT(ReportOn({GatherRun()}, code, sources).local_memory, IsEmpty());
  EXPECT_THAT(TextOf(code, GatherRun()), Not(HasSubstr("local memory")));
}

}  // namespace
}  // namespace coalcheck::findings
