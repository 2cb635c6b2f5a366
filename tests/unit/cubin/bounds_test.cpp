// SPDX-License-Identifier: Apache-2.0
//
// What a cubin may ask for: what takes many times its own bytes is refused, or not known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/accesses_by_line.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/line_program.h"
#include "libcoalcheck/cubin/ptx_text.h"
#include "libcoalcheck/cubin/source_stamps.h"
#include "tests/unit/cubin/cubin_builder.h"

namespace coalcheck::cubin {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kBytesOfWord = 16;

std::string WhyNot(const LineProgramBuilder& lines) {
  const auto error = VisitLineSequences(lines.Build(), [](const LineSequence&) {});
  return error ? error->message : "";
}

TEST(LineTable, WithARowInEachByteIsRefused) {
  for (const auto& [rows, accepted] : {std::pair{4U << 20U, true}, std::pair{5U << 20U, false}}) {
    LineProgramBuilder lines({{"x.cu", 0}});
    lines.SetAddress(0);
    lines.raw().Raw(std::string(rows, '\x01'));
    lines.EndSequence(kBytesOfWord);
    EXPECT_EQ(WhyNot(lines).empty(), accepted) << WhyNot(lines);
  }
}

TEST(LineTable, OfMillionsOfFilesOrFoldersIsRefused) {
  const std::vector<std::pair<std::string, int>> files((1U << 20U) + 1, {"f", 0});
  EXPECT_THAT(WhyNot(LineProgramBuilder(files)), HasSubstr("more rows or files than any compiler"));
  const std::vector<std::string> folders((1U << 20U) + 1, "d");
  EXPECT_THAT(WhyNot(LineProgramBuilder({{"f", 0}}, folders)),
              HasSubstr("more rows or files than any compiler"));
}

// 100 loads, each at the end of 250 calls in a file with a path of 4000 characters: 400 bytes of
// frames for each of the cubin.
TEST(InlineChain, ThatRepeatsALongPathIsRefused) {
  CubinBuilder builder;
  std::string code;
  for (int i = 0; i < 100; ++i) code += LoadWord();
  const std::uint32_t kernel = builder.AddFunction("k", code);
  LineProgramBuilder lines({{"x.cu", 1}}, {std::string(4000, 'd')});
  const std::uint64_t address = lines.SetAddress(0);
  for (std::uint64_t row = 0; row < 250; ++row) {
    lines.Inlined(row, 0);
    lines.Row(0, 1, 10);
  }
  lines.EndSequence(100 * kBytesOfWord);
  builder.AddRelocations(builder.AddSection({".debug_line", 1, lines.Build()}), true,
                         {{address, kernel}});
  // Enough for the frames themselves.
  builder.AddSection({".comment", 1, std::string(60'000, ' ')});
  EXPECT_THAT(std::string(Cubin::Parse(builder.Build()).status().message()),
              HasSubstr("more than the cubin can hold"));
}

// A load at the end of 20 calls of functions whose names are one of 20 000 characters, from its
// first, second… on.
TEST(InlineChain, OfNamesThatLieOverEachOtherIsRefused) {
  for (const auto& [calls, accepted] : {std::pair{2, true}, std::pair{20, false}}) {
    CubinBuilder builder;
    const std::uint32_t kernel = builder.AddFunction("k", LoadWord());
    builder.AddSection({".debug_str", 1, std::string(20'000, 'n') + '\0'});
    LineProgramBuilder lines({{"x.cu", 0}});
    const std::uint64_t address = lines.SetAddress(0);
    for (int row = 0; row < calls; ++row) {
      lines.Inlined(row, row);
      lines.Row(0, 1, 10);
    }
    lines.EndSequence(kBytesOfWord);
    builder.AddRelocations(builder.AddSection({".debug_line", 1, lines.Build()}), true,
                           {{address, kernel}});
    const absl::Status status = Cubin::Parse(builder.Build()).status();
    EXPECT_EQ(status.ok(), accepted) << status;
  }
}

// The file with `copies` further headers of its first section.
std::string WithCopies(const CubinBuilder& builder, int copies) {
  std::string file = builder.Build();
  std::uint64_t table = 0;
  file.copy(reinterpret_cast<char*>(&table), sizeof(table), 40);
  const std::string header = file.substr(table + 64, 64);
  for (int i = 0; i < copies; ++i) file += header;
  file[60] = static_cast<char>((file.size() - table) / 64);
  return file;
}

// Two sections over each other are seen in real files.
TEST(ElfFile, WithSectionsThatLieOverEachOtherIsRefused) {
  CubinBuilder builder;
  builder.AddFunction("k", std::string(10'000, '\0'));
  EXPECT_TRUE(ElfFile::Parse(WithCopies(builder, 1)).ok());
  EXPECT_FALSE(ElfFile::Parse(WithCopies(builder, 3)).ok());
}

TEST(ElfFile, WithSectionNamesThatLieOverEachOtherIsRefused) {
  CubinBuilder builder;
  builder.AddSection({".text." + std::string(10'000, 'k'), 1, ""});
  EXPECT_TRUE(ElfFile::Parse(WithCopies(builder, 1)).ok());
  EXPECT_FALSE(ElfFile::Parse(WithCopies(builder, 3)).ok());
}

TEST(ElfFile, WithSymbolNamesThatLieOverEachOtherIsRefused) {
  for (const auto& [symbols, accepted] : {std::pair{2, true}, std::pair{4, false}}) {
    CubinBuilder builder;
    const std::uint32_t names = builder.AddSection({".strtab", 3, std::string(10'000, 'k') + '\0'});
    // All of them begin at the first byte of the names.
    builder.AddSection(
        {".symtab", 2, std::string(static_cast<std::size_t>(symbols) * 24, '\0'), names});
    EXPECT_EQ(ElfFile::Parse(builder.Build()).ok(), accepted) << symbols;
  }
}

TEST(PtxText, OfMillionsOfEmptyLinesIsNotReadToItsEnd) {
  const std::string lines(9U << 20U, '\0');
  const PtxText text(lines);
  EXPECT_EQ(text.line_count(), 8U << 20U);
  EXPECT_EQ(text.Block(9U << 20U), 0U);
}

TEST(SourceStamps, OfMoreFilesThanAnyProgramHasAreNotKnown) {
  for (const auto& [files, known] : {std::pair{50'000, true}, std::pair{150'000, false}}) {
    std::string text;
    for (int i = 0; i < files; ++i) {
      text += ".file 1 \"/" + std::to_string(i) + "\", 5, 6\n";
    }
    EXPECT_EQ(SourceStampsOf(text).empty(), !known) << files;
  }
}

// Each of them says again what was said of 3000 files, which are looked at once.
TEST(SourceStamps, OfAUnitOfManyFunctionsAreThoseOfItsFiles) {
  LineProgramBuilder lines(std::vector<std::pair<std::string, int>>(3000, {"f", 0}));
  lines.raw().Raw(std::string("\0\x06\x03x\0\0\5\6", 8));  // a file of 6 bytes, of second 5
  for (int i = 0; i < 3000; ++i) {
    lines.SetAddress(0);
    lines.Row(0, 1, 1);
    lines.EndSequence(kBytesOfWord);
  }
  CubinBuilder builder;
  builder.AddSection({".debug_line", 1, lines.Build()});
  EXPECT_EQ(SourceStampsOf(builder.Build()), (SourceStamps{{"x", {5, 6}}}));
}

TEST(AccessesByLine, GivesTheFirstAccessOfALine) {
  Function function;
  function.accesses.resize(3);
  function.accesses[0].ptx_line = 9;
  function.accesses[1].ptx_line = 7;
  function.accesses[2].ptx_line = 7;
  const AccessesByLine lines(function);
  EXPECT_EQ(lines.First(7), &function.accesses[1]);
  EXPECT_EQ(lines.First(9), &function.accesses[0]);
  EXPECT_EQ(lines.First(8), nullptr);
  EXPECT_EQ(lines.First(10), nullptr);
}

}  // namespace
}  // namespace coalcheck::cubin
