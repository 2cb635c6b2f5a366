// SPDX-License-Identifier: Apache-2.0
//
// What the machine code says beside the counts: addresses in words, the load of an index, local
// memory; in the report and in its text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "libcoalcheck/output/text_writer.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using address::AddressExpression;
using address::Factor;
using address::FactorKind;
using address::LaneDependence;
using cubin::AccessKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kGather = "_Z6gatherPKiPKfPf";  // gather(int const*, float const*, float*)

// out[i] = values[index[i]] with the index loaded in line 3, its element in line 4.
class ExplainedCode : public FakeCode {
 public:
  explicit ExplainedCode(std::string_view index_file = kSource) {
    Add(kCubin, kGather).accesses = {MakeAccess(16, AccessKind::kLoad, {{kGather, index_file, 3}}),
                                     MakeAccess(32, AccessKind::kLoad, {{kGather, kSource, 4}})};
    const Factor base{FactorKind::kParameter, 2, 0, {}};
    const Factor loaded{FactorKind::kLoaded, 0, 0, PcOffset(16)};
    addresses[32] = {
        LaneDependence::kLoaded, {{{1, {base}}, {4, {loaded}}}, 0}, {}, {PcOffset(16)}};
  }

  patterns::AddressFact AddressOf(CubinId, std::string_view, PcOffset access,
                                  const std::optional<recording::Dim3>&) override {
    patterns::AddressFact fact;
    if (access == PcOffset(32)) fact.form = patterns::AddressFact::Form::kLoaded;
    return fact;
  }
  const AddressExpression* ExpressionOf(CubinId, std::string_view, PcOffset access) override {
    const auto found = addresses.find(access.value());
    return found == addresses.end() ? nullptr : &found->second;
  }

  std::map<std::uint32_t, AddressExpression> addresses;
};

recording::RecordedRun GatherRun() {
  recording::RecordedRun run = MakeRun();
  run.windows = {MakeWindow(1, kGather, {MakeRow(16, 1000, 4, 4), MakeRow(32, 1000, 32, 4)})};
  return run;
}

std::string TextOf(Code& code, const recording::RecordedRun& run) {
  FakeSources sources;
  const Report report = ReportOn({run}, code, sources);
  return output::TextWriter(sources, {}).Write(report, verdict::Judge(report));
}

TEST(MachineCode, AScatteredAccessNamesTheLineThatLoadsItsIndex) {
  ExplainedCode code;
  const std::string text = TextOf(code, GatherRun());
  EXPECT_THAT(text, HasSubstr("   address: parameter 2 (float const*) + 4·[the load in line 3]; "
                              "depends on the load in line 3\n"));
  EXPECT_THAT(text, HasSubstr("   pattern: scattered, by what line 3 loads\n"));
}

TEST(MachineCode, AnIndexThatAnotherFileLoadsIsNamedWithThatFile) {
  ExplainedCode code("/src/app/index.cuh");
  const std::string text = TextOf(code, GatherRun());
  EXPECT_THAT(text, HasSubstr("depends on the load in index.cuh:3\n"));
  EXPECT_THAT(text, HasSubstr("scattered, by what index.cuh:3 loads\n"));
}

TEST(MachineCode, WhatIsNotKnownOfAnAddressIsNotSaid) {
  ExplainedCode code;
  code.addresses[32] = {};
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
    return cubin::LocalAccess{PcOffset(pc), kind, {{kGather, kSource, line}}};
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
                        "a.cu:7; seen in its machine code, not measured\n"));
}

TEST(MachineCode, AKernelWithoutLocalMemoryIsNotMentioned) {
  ExplainedCode code;
  FakeSources sources;
  EXPECT_THAT(ReportOn({GatherRun()}, code, sources).local_memory, IsEmpty());
  EXPECT_THAT(TextOf(code, GatherRun()), Not(HasSubstr("local memory")));
}

}  // namespace
}  // namespace coalcheck::findings
