// SPDX-License-Identifier: Apache-2.0
//
// Images come out of fat binaries whole, or with the reason why not.
#include "libcoalcheck/cubin/fatbin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <vector>

#include "tests/unit/cubin/cubin_builder.h"

namespace coalcheck::cubin {
namespace {

using namespace std::string_literals;

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t kZstd = 0x8000;
constexpr std::uint64_t kLz4 = 0x2000;

struct FatEntry {
  std::uint16_t kind = 2;
  std::string payload;
  std::uint64_t flags = 0x11;
  std::uint64_t unpacked_size = 0;
};

std::string Fatbin(const std::vector<FatEntry>& entries) {
  ByteWriter body;
  for (const FatEntry& entry : entries) {
    body.U16(entry.kind).U16(0x101).U32(64).U64(entry.payload.size());
    body.U32(entry.unpacked_size == 0 ? 0 : entry.payload.size()).U32(0).U32(0).U32(90);
    body.U64(0).U64(entry.flags).U64(0).U64(entry.unpacked_size).Raw(entry.payload);
  }
  return ByteWriter().U32(0xba55ed50).U16(1).U16(16).U64(body.size()).Raw(body.bytes()).bytes();
}

std::string SmallCubin() {
  CubinBuilder builder;
  builder.AddFunction("k", LoadWord());
  return builder.Build();
}

std::string Zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string Lz4(const std::string& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))),
                     '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()))));
  return packed;
}

// For each image its content or, in brackets, why there is none.
std::vector<std::string> Images(std::string_view bytes) {
  std::vector<std::string> images;
  const absl::Status status = VisitProgramImages(bytes, [&](const ProgramImage& image) {
    images.push_back(image.cubin.empty() ? "[" + image.skipped_reason + "]" : image.cubin);
  });
  if (!status.ok()) images.push_back("error: " + std::string(status.message()));
  return images;
}

TEST(Fatbin, GivesStoredAndCompressedCubins) {
  const std::string cubin = SmallCubin();
  EXPECT_THAT(Images(Fatbin({{2, cubin},
                             {2, Zstd(cubin), 0x11 | kZstd, cubin.size()},
                             {2, Lz4(cubin), 0x11 | kLz4, cubin.size()}})),
              ElementsAre(cubin, cubin, cubin));
}

TEST(Fatbin, NamesWhatHoldsNoMachineCode) {
  EXPECT_THAT(Images(Fatbin({{1, ".version 9.0"}, {8, "x"}, {77, "x"}})),
              ElementsAre(HasSubstr("PTX only"), HasSubstr("link-time"), HasSubstr("kind 77")));
}

TEST(Fatbin, NamesACodecItDoesNotKnow) {
  EXPECT_THAT(Images(Fatbin({{2, SmallCubin(), 0x11 | 0x40000, 100}})),
              ElementsAre(HasSubstr("not known here (flags 0x40011)")));
}

TEST(Fatbin, RefusesABombBeforeItIsUnpacked) {
  const std::string zeros(1U << 20U, '\0');
  const std::string packed = Zstd(zeros);
  EXPECT_THAT(Images(Fatbin({{2, packed, 0x11 | kZstd, std::uint64_t{1} << 40U}})),
              ElementsAre(HasSubstr("impossible size")));
}

// A frame that the codec passes over makes the packed image as large as one likes.
TEST(Fatbin, RefusesABombBehindBytesThatUnpackToNothing) {
  const std::string zeros(1U << 25U, '\0');
  const std::string packed = Zstd(zeros);
  ASSERT_LT(packed.size(), zeros.size() / 4096);
  const std::string filler =
      ByteWriter().U32(0x184d2a50).U32(10'000).bytes() + zeros.substr(0, 10'000);
  EXPECT_THAT(Images(Fatbin({{2, packed + filler, 0x11 | kZstd, zeros.size()},
                             {2, filler + packed, 0x11 | kZstd, zeros.size()},
                             {2, packed + zeros.substr(0, 10'000), 0x11 | kZstd, zeros.size()}})),
              ElementsAre(HasSubstr("impossible size"), HasSubstr("impossible size"),
                          HasSubstr("impossible size")));
}

TEST(Fatbin, UnpacksNothingLargerThanItsLimit) {
  const std::string cubin = SmallCubin();
  const std::string bytes = Fatbin({{2, Zstd(cubin), 0x11 | kZstd, cubin.size()}});
  for (const std::uint64_t limit : {cubin.size() - 1, cubin.size()}) {
    bool unpacked = false;
    ASSERT_TRUE(
        VisitProgramImages(
            bytes, [&](const ProgramImage& image) { unpacked = !image.cubin.empty(); }, {limit})
            .ok());
    EXPECT_EQ(unpacked, limit == cubin.size());
  }
}

TEST(Fatbin, UnpacksNoMoreInAllThanAFileOfItsSizeHolds) {
  const std::string cubin = SmallCubin();
  const FatEntry entry{2, Zstd(cubin), 0x11 | kZstd, cubin.size()};
  std::vector<std::string> skipped;
  const absl::Status status = VisitProgramImages(
      Fatbin({entry, entry, entry}),
      [&](const ProgramImage& image) { skipped.push_back(image.skipped_reason); },
      {.image_size = cubin.size(), .least_in_all = 2 * cubin.size(), .of_byte = 0});
  EXPECT_TRUE(status.ok());
  EXPECT_THAT(skipped, ElementsAre("", "", HasSubstr("more than a file of its size holds")));
}

TEST(Fatbin, RefusesASizeThatIsNotTrue) {
  const std::string cubin = SmallCubin();
  EXPECT_THAT(Images(Fatbin({{2, Zstd(cubin), 0x11 | kZstd, cubin.size() + 1},
                             {2, Lz4(cubin), 0x11 | kLz4, cubin.size() - 1}})),
              ElementsAre(HasSubstr("does not unpack (zstd)"), HasSubstr("does not unpack (LZ4)")));
}

TEST(Fatbin, KeepsTheImagesBeforeACut) {
  const std::string cubin = SmallCubin();
  std::string bytes = Fatbin({{2, cubin}, {2, cubin}});
  EXPECT_THAT(Images(std::string_view(bytes).substr(0, bytes.size() - 1)),
              ElementsAre(HasSubstr("cut off")));
  bytes[16 + 64 + cubin.size() + 12] = '\x7f';  // the second entry's payload size
  EXPECT_THAT(Images(bytes), ElementsAre(cubin, HasSubstr("does not fit")));
}

TEST(Fatbin, IsReadWhereverItBeginsBehindAnother) {
  const std::string cubin = SmallCubin();
  for (const std::size_t padding : {0, 4, 5, 8, 30}) {
    const std::string bytes =
        Fatbin({{2, cubin}}) + std::string(padding, '\0') + Fatbin({{8, "x"}});
    EXPECT_THAT(Images(bytes), ElementsAre(cubin, HasSubstr("link-time"))) << padding;
  }
}

TEST(Fatbin, NamesWhatStandsBesideIt) {
  const std::string cubin = SmallCubin();
  const std::string one = Fatbin({{2, cubin}});
  EXPECT_THAT(Images(one + "ELF" + one + std::string(20, '\0') + "x"),
              ElementsAre(cubin, HasSubstr("3 bytes beside"), cubin, HasSubstr("21 bytes beside")));
}

TEST(Program, GivesTheImagesOfAllItsFatBinaries) {
  const std::string cubin = SmallCubin();
  CubinBuilder host;
  host.SetMachine(62);
  std::string section = Fatbin({{2, cubin}});
  section.resize((section.size() + 15) / 8 * 8);  // each starts at a multiple of eight bytes
  host.AddSection({".nv_fatbin", 1, section + Fatbin({{1, "ptx"}})});
  EXPECT_THAT(Images(host.Build()), ElementsAre(cubin, HasSubstr("PTX only")));
}

TEST(Program, GivesRelocatableCodeOnlyWhereNothingIsLinked) {
  const std::string cubin = SmallCubin();
  CubinBuilder object;
  object.SetMachine(62);
  object.AddSection({"__nv_relfatbin", 1, Fatbin({{2, cubin}})});
  EXPECT_THAT(Images(object.Build()), ElementsAre(cubin));
  object.AddSection({".nv_fatbin", 1, Fatbin({{2, cubin}})});
  EXPECT_THAT(Images(object.Build()), ElementsAre(cubin));
}

TEST(Program, ThatIsAnObjectFileHasLinkedAndRelocatableCode) {
  CubinBuilder object;
  object.SetMachine(62);
  object.SetObject();
  object.AddSection({".nv_fatbin", 1, Fatbin({{2, SmallCubin()}})});
  object.AddSection({"__nv_relfatbin", 1, Fatbin({{8, "x"}})});
  EXPECT_THAT(Images(object.Build()), ElementsAre(SmallCubin(), HasSubstr("link-time")));
}

TEST(Program, NamesAFatBinaryInASectionOfItsOwn) {
  CubinBuilder host;
  host.SetMachine(62);
  host.AddSection({".rodata", 1, "\x50\xed\x55\xba, a number"});
  EXPECT_THAT(Images(host.Build()), ElementsAre(HasSubstr("without any device code")));
  host.AddSection({".nv_fatbin", 1, Fatbin({{2, SmallCubin()}})});
  EXPECT_THAT(Images(host.Build()), ElementsAre(SmallCubin()));
  host.AddSection({".data", 1, Fatbin({{2, SmallCubin()}})});
  EXPECT_THAT(Images(host.Build()), ElementsAre(SmallCubin(), HasSubstr("in no section for them")));
}

TEST(Program, WithoutDeviceCodeSaysSo) {
  CubinBuilder host;
  host.SetMachine(62);
  EXPECT_THAT(Images(host.Build()), ElementsAre(HasSubstr("without any device code")));
}

TEST(DescribeContent, SaysWhatAFileIs) {
  EXPECT_EQ(DescribeContent(""), "an empty file");
  EXPECT_EQ(DescribeContent("#!/bin/sh\n"), "a script");
  EXPECT_EQ(DescribeContent("!<arch>\nx"), "a static library");
  EXPECT_EQ(DescribeContent(".version 9.0\n.target sm_90\n"), "PTX text");
  EXPECT_EQ(DescribeContent("hello\n"), "text");
  EXPECT_EQ(DescribeContent("\0\1\2"s), "bytes of an unknown format");
  EXPECT_THAT(DescribeContent("\177ELF\2\1"), HasSubstr("damaged ELF"));
}

}  // namespace
}  // namespace coalcheck::cubin
