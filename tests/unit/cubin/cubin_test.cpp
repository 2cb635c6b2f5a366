// SPDX-License-Identifier: Apache-2.0
//
// Cubins made by hand: what the reader makes of each rule of the format, kept or broken.
#include "libcoalcheck/cubin/cubin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/base/short_name.h"
#include "tests/unit/cubin/cubin_builder.h"

namespace coalcheck::cubin {
namespace {

using namespace std::string_literals;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kWord = 16;

Cubin MustParse(const CubinBuilder& builder) {
  absl::StatusOr<Cubin> cubin = Cubin::Parse(builder.Build());
  EXPECT_TRUE(cubin.ok()) << cubin.status();
  return *std::move(cubin);
}

std::string Refusal(const CubinBuilder& builder) {
  return std::string(Cubin::Parse(builder.Build()).status().message());
}

TEST(Cubin, RefusesWhatIsNone) {
  EXPECT_FALSE(Cubin::Parse("").ok());
  EXPECT_FALSE(Cubin::Parse("\177ELF").ok());
  CubinBuilder host;
  host.SetMachine(62);
  EXPECT_THAT(Refusal(host), HasSubstr("machine 62"));
}

TEST(Cubin, RefusesAnArchitectureWithOtherInstructions) {
  CubinBuilder old;
  old.SetSm(61);
  EXPECT_THAT(Refusal(old), HasSubstr("sm_61"));
}

TEST(Cubin, RefusesEveryTruncation) {
  CubinBuilder builder;
  builder.AddFunction("k", LoadWord());
  const std::string whole = builder.Build();
  ASSERT_TRUE(Cubin::Parse(whole).ok());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(Cubin::Parse(whole.substr(0, size)).ok()) << size;
  }
}

TEST(Cubin, ShowsAccessesWithoutLines) {
  CubinBuilder builder;
  builder.AddFunction("k", OtherWord() + LoadWord() + OtherWord());
  const Cubin cubin = MustParse(builder);
  ASSERT_EQ(cubin.functions().size(), 1U);
  const Function& function = cubin.functions()[0];
  EXPECT_TRUE(function.is_kernel);
  EXPECT_FALSE(function.has_lines);
  ASSERT_EQ(function.accesses.size(), 1U);
  EXPECT_EQ(function.accesses[0].pc, PcOffset(16));
  EXPECT_THAT(function.accesses[0].frames, IsEmpty());
  EXPECT_EQ(Cubin::FindAccess(function, PcOffset(16)), &function.accesses[0]);
  EXPECT_EQ(Cubin::FindAccess(function, PcOffset(0)), nullptr);
  EXPECT_EQ(cubin.FindFunction("nobody"), nullptr);
}

TEST(Cubin, KeepsAKernelsLongNameShortened) {
  const std::string name(300'000, 'k');
  CubinBuilder builder;
  builder.AddFunction(name, LoadWord());
  const Cubin cubin = MustParse(builder);
  EXPECT_EQ(cubin.functions()[0].name, ShortName(name));
  EXPECT_TRUE(cubin.functions()[0].is_kernel);
  EXPECT_EQ(cubin.FindFunction(ShortName(name)), &cubin.functions()[0]);
}

TEST(Cubin, TellsADeviceFunctionFromAKernel) {
  CubinBuilder builder;
  const std::uint32_t section = builder.AddSection({".text.f", 1, LoadWord()});
  builder.AddSymbol({"f", static_cast<std::uint16_t>(section), 2, 0});
  const Cubin cubin = MustParse(builder);
  EXPECT_FALSE(cubin.functions()[0].is_kernel);
}

// Two functions whose addresses collide: only relocations tell whose rows they are.
class TwoFunctions : public testing::TestWithParam<bool> {};

TEST_P(TwoFunctions, GetTheirLinesThroughRelocations) {
  CubinBuilder builder;
  const std::uint32_t a = builder.AddFunction("a", LoadWord());
  const std::uint32_t b = builder.AddFunction("b", LoadWord());
  LineProgramBuilder lines({{"x.cu", 1}}, {"/src"}, 4);
  const std::uint64_t first = lines.SetAddress(0);
  lines.Row(0, 1, 10);
  lines.EndSequence(kWord);
  lines.SetAddress(0);  // of a function that the linker dropped
  lines.Row(0, 1, 99);
  lines.EndSequence(kWord);
  const std::uint64_t second = lines.SetAddress(0);
  lines.Row(0, 1, 20);
  lines.EndSequence(kWord);
  const std::uint32_t section = builder.AddSection({".debug_line", 1, lines.Build()});
  builder.AddRelocations(section, GetParam(), {{second, a}, {first, b}});
  const Cubin cubin = MustParse(builder);
  EXPECT_THAT(cubin.FindFunction("a")->accesses[0].frames,
              ElementsAre(SourceFrame{"a", "/src/x.cu", 20}));
  EXPECT_THAT(cubin.FindFunction("b")->accesses[0].frames,
              ElementsAre(SourceFrame{"b", "/src/x.cu", 10}));
  EXPECT_TRUE(cubin.FindFunction("a")->has_lines);
}

INSTANTIATE_TEST_SUITE_P(Relocations, TwoFunctions, testing::Bool(), [](const auto& with) {
  return with.param ? std::string("WithAddends") : std::string("WithoutAddends");
});

// One kernel of `words` loads with the line table that `fill` writes.
template <typename Fill>
CubinBuilder WithLines(int words, Fill fill) {
  CubinBuilder builder;
  std::string code;
  for (int i = 0; i < words; ++i) code += LoadWord();
  const std::uint32_t kernel = builder.AddFunction("k", code);
  builder.AddSection({".debug_str", 1, "one\0two\0"s});
  LineProgramBuilder lines({{"main.cu", 1}, {"helper.h", 2}, {"/abs/other.h", 2}},
                           {"/src", "/include/"});
  const std::uint64_t address = lines.SetAddress(0);
  fill(lines);
  const std::uint32_t section = builder.AddSection({".debug_line", 1, lines.Build()});
  builder.AddRelocations(section, true, {{address, kernel}});
  return builder;
}

TEST(InlineChain, GoesFromTheInnermostRowToTheKernels) {
  const Cubin cubin = MustParse(WithLines(2, [](LineProgramBuilder& lines) {
    lines.Row(0, 1, 10);
    lines.Inlined(1, 0);
    lines.Row(0, 2, 20);
    lines.Inlined(2, 4);
    lines.Row(0, 3, 30);
    lines.Inlined(0, 0);
    lines.Row(kWord, 1, 11);
    lines.EndSequence(kWord);
  }));
  const Function& kernel = *cubin.FindFunction("k");
  EXPECT_THAT(kernel.accesses[0].frames, ElementsAre(SourceFrame{"two", "/abs/other.h", 30},
                                                     SourceFrame{"one", "/include/helper.h", 20},
                                                     SourceFrame{"k", "/src/main.cu", 10}));
  EXPECT_THAT(kernel.accesses[1].frames, ElementsAre(SourceFrame{"k", "/src/main.cu", 11}));
}

TEST(InlineChain, CountsRowsAnewInEverySequence) {
  CubinBuilder builder;
  const std::uint32_t a = builder.AddFunction("a", LoadWord());
  const std::uint32_t b = builder.AddFunction("b", LoadWord());
  builder.AddSection({".debug_str", 1, "f\0"s});
  LineProgramBuilder lines({{"x.cu", 0}});
  std::vector<std::pair<std::uint64_t, std::uint32_t>> relocations;
  for (const auto& [symbol, line] : {std::pair{a, 10}, std::pair{b, 20}}) {
    relocations.emplace_back(lines.SetAddress(0), symbol);
    lines.Row(0, 1, line);
    lines.Inlined(1, 0);
    lines.Row(0, 1, line + 1);
    lines.EndSequence(kWord);
  }
  builder.AddRelocations(builder.AddSection({".debug_line", 1, lines.Build()}), true, relocations);
  const Cubin cubin = MustParse(builder);
  EXPECT_THAT(cubin.FindFunction("b")->accesses[0].frames,
              ElementsAre(SourceFrame{"f", "x.cu", 21}, SourceFrame{"b", "x.cu", 20}));
}

TEST(InlineChain, EndsWhereARowNamesItselfOrALaterOne) {
  const Cubin cubin = MustParse(WithLines(2, [](LineProgramBuilder& lines) {
    lines.Inlined(1, 0);  // itself
    lines.Row(0, 1, 10);
    lines.Inlined(3, 0);  // one that comes later, and leads back
    lines.Row(kWord, 1, 11);
    lines.Inlined(2, 0);
    lines.Row(kWord, 1, 12);
    lines.EndSequence(kWord);
  }));
  const Function& kernel = *cubin.FindFunction("k");
  EXPECT_THAT(kernel.accesses[0].frames, ElementsAre(SourceFrame{"one", "/src/main.cu", 10}));
  EXPECT_THAT(kernel.accesses[1].frames, ElementsAre(SourceFrame{"one", "/src/main.cu", 11}));
}

TEST(InlineChain, HasNoFrameForAFileOrLineThatIsNotThere) {
  const Cubin cubin = MustParse(WithLines(3, [](LineProgramBuilder& lines) {
    lines.Row(0, 9, 10);
    lines.Row(kWord, 0, 10);
    lines.Row(kWord, 1, 0);
    lines.EndSequence(kWord);
  }));
  for (const GlobalAccess& access : cubin.FindFunction("k")->accesses) {
    EXPECT_THAT(access.frames, IsEmpty());
  }
}

TEST(InlineChain, CannotMakeASmallCubinAskForGigabytes) {
  const absl::StatusOr<Cubin> cubin = Cubin::Parse(WithLines(4000, [](LineProgramBuilder& lines) {
                                                     for (std::uint64_t i = 0; i < 250; ++i) {
                                                       lines.Inlined(i, 0);
                                                       lines.Row(0, 1, 10);
                                                     }
                                                     lines.EndSequence(4000 * kWord);
                                                   }).Build());
  EXPECT_THAT(std::string(cubin.status().message()), HasSubstr("more than the cubin can hold"));
}

TEST(LineTable, WithAPathLongerThanAnyIsRefused) {
  for (const auto& [length, accepted] : {std::pair{4094, true}, std::pair{4095, false}}) {
    CubinBuilder builder;
    const std::uint32_t kernel = builder.AddFunction("k", LoadWord());
    LineProgramBuilder lines({{"x", 1}}, {std::string(static_cast<std::size_t>(length), 'd')});
    const std::uint64_t address = lines.SetAddress(0);
    lines.Row(0, 1, 10);
    lines.EndSequence(kWord);
    builder.AddRelocations(builder.AddSection({".debug_line", 1, lines.Build()}), true,
                           {{address, kernel}});
    EXPECT_EQ(Cubin::Parse(builder.Build()).ok(), accepted) << length;
  }
}

TEST(LineTable, EndsAtTheEndOfItsSequence) {
  const Cubin cubin = MustParse(WithLines(2, [](LineProgramBuilder& lines) {
    lines.Row(0, 1, 10);
    lines.EndSequence(kWord);
  }));
  EXPECT_EQ(cubin.FindFunction("k")->accesses[0].frames.size(), 1U);
  EXPECT_THAT(cubin.FindFunction("k")->accesses[1].frames, IsEmpty());
}

TEST(LineTable, StartsWhereTheAddendOfItsRelocationSays) {
  CubinBuilder builder;
  const std::uint32_t kernel = builder.AddFunction("k", LoadWord() + LoadWord());
  LineProgramBuilder lines({{"x.cu", 0}});
  const std::uint64_t address = lines.SetAddress(0);
  lines.Row(0, 1, 10);
  lines.EndSequence(kWord);
  builder.AddRelocations(builder.AddSection({".debug_line", 1, lines.Build()}), true,
                         {{address, kernel}}, kWord);
  const Cubin cubin = MustParse(builder);
  EXPECT_THAT(cubin.functions()[0].accesses[0].frames, IsEmpty());
  EXPECT_EQ(cubin.functions()[0].accesses[1].frames.size(), 1U);
}

TEST(LineTable, ThatContradictsItselfIsRefused) {
  EXPECT_THAT(Refusal(WithLines(1, [](LineProgramBuilder& lines) { lines.raw().U8(0).Uleb(200); })),
              HasSubstr("contradicts itself"));
}

// One kernel of 2000 loads with 2000 sequences in the line table `section`, of which number `i`
// covers `words(i)` instructions from the `begin(i)`-th on.
template <typename Begin, typename Words>
CubinBuilder ManySequences(const std::string& section, Begin begin, Words words) {
  constexpr int kLoads = 2000;
  CubinBuilder builder;
  std::string code;
  for (int i = 0; i < kLoads; ++i) code += LoadWord();
  const std::uint32_t kernel = builder.AddFunction("k", code);
  builder.AddSection({".nv_debug_ptx_txt", 1, "a\0ld.global.f32 x;\0"s});
  LineProgramBuilder lines({{".nv_debug_ptx_txt", 0}});
  std::vector<std::pair<std::uint64_t, std::uint32_t>> relocations;
  for (std::uint64_t i = 0; i < kLoads; ++i) {
    relocations.emplace_back(lines.SetAddress(begin(i) * kWord), kernel);
    lines.Row(0, 1, 2);
    lines.EndSequence(words(i) * kWord);
  }
  builder.AddRelocations(builder.AddSection({section, 1, lines.Build()}), true, relocations);
  return builder;
}

// What one sequence looks at is limited to what it covers: the limit of all work together would
// refuse this table if every sequence went through the whole function.
class ManySequencesOfOneFunction : public testing::TestWithParam<const char*> {};

TEST_P(ManySequencesOfOneFunction, AreFineSideBySide) {
  const auto one = [](std::uint64_t) { return std::uint64_t{1}; };
  const auto own = [](std::uint64_t i) { return i; };
  const Cubin cubin = MustParse(ManySequences(GetParam(), own, one));
  const bool source = GetParam() == std::string_view(".debug_line");
  for (const GlobalAccess& access : cubin.functions()[0].accesses) {
    EXPECT_EQ(access.frames.size(), source ? 1U : 0U);
    EXPECT_EQ(access.ptx, source ? "" : "ld.global.f32 x;");
  }
}

TEST_P(ManySequencesOfOneFunction, AreRefusedOnTopOfEachOther) {
  const auto all = [](std::uint64_t) { return std::uint64_t{2000}; };
  const auto none = [](std::uint64_t) { return std::uint64_t{0}; };
  EXPECT_THAT(Refusal(ManySequences(GetParam(), none, all)), HasSubstr("again and again"));
}

INSTANTIATE_TEST_SUITE_P(LineTables, ManySequencesOfOneFunction,
                         testing::Values(".debug_line", ".nv_debug_line_sass"),
                         [](const auto& table) {
                           const bool source = table.param == std::string_view(".debug_line");
                           return std::string(source ? "Source" : "Ptx");
                         });

// ptxas starts no row where the same inlined line follows from another call site; the instruction
// of the same PTX block that does start one says which it was.
TEST(InlineChain, IsPutRightByTheBlockOfPtx) {
  CubinBuilder builder = WithLines(4, [](LineProgramBuilder& lines) {
    lines.Row(0, 1, 10);  // block of PTX lines 1 and 2
    lines.Inlined(1, 0);
    lines.Row(0, 2, 5);
    lines.Inlined(0, 0);
    lines.Row(kWord, 1, 12);  // PTX line 4: another line of the kernel in between
    lines.Row(kWord, 1, 20);  // PTX line 6
    lines.Inlined(4, 0);
    lines.Row(0, 2, 5);
    // The fourth load comes from PTX line 2, but still seems to be called at line 20.
    lines.EndSequence(2 * kWord);
  });
  builder.AddSection({".nv_debug_ptx_txt", 1, "a\0ld.global.f32 x;\0\0b\0\0c\0"s});
  LineProgramBuilder ptx({});
  const std::uint64_t address = ptx.SetAddress(0);
  ptx.Row(0, 0, 1);
  ptx.Row(kWord, 0, 4);
  ptx.Row(kWord, 0, 6);
  ptx.Row(kWord, 0, 2);
  ptx.EndSequence(kWord);
  builder.AddRelocations(builder.AddSection({".nv_debug_line_sass", 1, ptx.Build()}), true,
                         {{address, 1}});
  const Cubin cubin = MustParse(builder);
  const Function& kernel = *cubin.FindFunction("k");
  EXPECT_EQ(kernel.accesses[2].frames.back().line, 20U);
  EXPECT_EQ(kernel.accesses[3].frames.back().line, 10U);
  EXPECT_EQ(kernel.accesses[3].ptx, "ld.global.f32 x;");
  EXPECT_EQ(kernel.accesses[3].ptx_line, 2U);
}

TEST(Cubin, TakesTheWidthFromThePtxWhereTheWordIsUnknown) {
  CubinBuilder builder;
  const std::string unknown = ByteWriter().U64(0x981).U64(std::uint64_t{7} << 9U).bytes();
  const std::uint32_t kernel = builder.AddFunction("k", unknown);
  builder.AddSection({".nv_debug_ptx_txt", 1, "ld.global.v4.f64 {x}, [y];\0"s});
  LineProgramBuilder ptx({});
  const std::uint64_t address = ptx.SetAddress(0);
  ptx.Row(0, 0, 1);
  ptx.EndSequence(kWord);
  builder.AddRelocations(builder.AddSection({".nv_debug_line_sass", 1, ptx.Build()}), false,
                         {{address, kernel}});
  EXPECT_EQ(MustParse(builder).functions()[0].accesses[0].width, Bytes(32));
}

}  // namespace
}  // namespace coalcheck::cubin
