// SPDX-License-Identifier: Apache-2.0
//
// Accesses and source lines of PTX text that is a file by itself.
#include "libcoalcheck/cubin/ptx_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck::cubin {
namespace {

const std::string kHead =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 k_0)\n{\n.loc 1 5 0\nld.param.u64 %rd1, [k_0];\n";
const std::string kTail =
    "ret;\n}\n.file 1 \"/src/k.cu\"\n.file 2 \"/src/h.h\", 17, 4\n"
    ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,49\n.b8 102,118,0\n}\n";

Cubin Read(const std::string& body) {
  auto parsed = Cubin::ParseCode(kHead + body + kTail);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return *std::move(parsed);
}

TEST(PtxFileTest, HasTheAccessesOfAKernelWithTheirLines) {
  const Cubin cubin = Read(
      ".loc 1 7 3\nld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n"
      "st.shared.f32 [%r1], %f1;\nst.f32 [%rd1], %f1;\n"
      "cp.async.cg.shared.global [ %r1 + 0 ], [ %rd1 + 0 ], 0x10;\n");
  EXPECT_EQ(cubin.sm(), 90U);
  ASSERT_EQ(cubin.functions().size(), 1U);
  const Function& kernel = cubin.functions()[0];
  EXPECT_TRUE(kernel.is_kernel);
  ASSERT_EQ(kernel.accesses.size(), 3U);
  EXPECT_EQ(kernel.accesses[0].width, Bytes(16));
  EXPECT_EQ(kernel.accesses[0].frames, (std::vector<SourceFrame>{{"k", "/src/k.cu", 7}}));
  EXPECT_EQ(kernel.accesses[1].kind, AccessKind::kStore);
  EXPECT_TRUE(kernel.accesses[1].generic);
  EXPECT_EQ(kernel.accesses[2].kind, AccessKind::kAsyncCopy);
  EXPECT_EQ(kernel.accesses[2].width, Bytes(16));
}

TEST(PtxFileTest, FollowsWhatWasInlinedToItsCaller) {
  const Cubin cubin = Read(
      ".loc\t1 9 3\n.loc 2 15 5, function_name $L__info_string0, inlined_at 1 9 3\n"
      "ld.global.f32 %f1, [%rd1];\n");
  EXPECT_EQ(cubin.functions()[0].accesses[0].frames,
            (std::vector<SourceFrame>{{"_Z1fv", "/src/h.h", 15}, {"k", "/src/k.cu", 9}}));
}

TEST(PtxFileTest, KnowsNoWidthThatNoCopyHas) {
  for (const auto& [said, width] : {std::pair("3", 0U), std::pair("31", 0U), std::pair("8", 8U)}) {
    const Cubin cubin =
        Read(std::string("cp.async.ca.shared.global [%r1], [%rd1], ") + said + ";\n");
    EXPECT_EQ(cubin.functions()[0].accesses[0].width, Bytes(width)) << said;
  }
}

TEST(PtxFileTest, CutsAPathThatIsLongerThanAnySystemHas) {
  const auto parsed = Cubin::ParseCode(kHead + ".loc 3 9 3\nld.global.f32 %f1, [%rd1];\n" + kTail +
                                       ".file 3 \"" + std::string(100'000, 'p') + "\"\n");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->functions()[0].accesses[0].frames[0].file.size(), 4096U);
}

TEST(PtxFileTest, RefusesLinesThatNameMoreThanTheTextCanHold) {
  std::string body;
  for (int i = 1; i < 400; ++i) {
    const std::string caller =
        i == 1 ? ""
               : ", function_name $L__info_string0, inlined_at 3 " + std::to_string(i - 1) + " 1";
    body += ".loc 3 " + std::to_string(i) + " 1" + caller + "\nld.global.f32 %f1, [%rd1];\n";
  }
  const auto read = [&](std::size_t path) {
    return Cubin::ParseCode(kHead + body + kTail + ".file 3 \"" + std::string(path, 'p') + "\"\n");
  };
  EXPECT_TRUE(read(20).ok()) << read(20).status();
  EXPECT_EQ(read(4000).status().message(), "PTX text whose lines name more than it can hold");
}

TEST(PtxFileTest, TakesNoLineOfAnAssemblyTextForOneOfTheSource) {
  const Cubin cubin = Read(
      ".loc 1 9 3\n// begin inline asm\n.loc 1 9 3\nmov.u32 %r1, 0x0;\n.loc 1 10 3\n"
      "ld.global.b32 { %r1 }, [ %rd1 + 0 ];\n// end inline asm\n"
      ".loc 1 11 3\nst.global.b32 [%rd1], %r1;\n");
  EXPECT_EQ(cubin.functions()[0].accesses[0].frames[0].line, 9U);
  EXPECT_EQ(cubin.functions()[0].accesses[1].frames[0].line, 11U);
}

TEST(PtxFileTest, IsNamedWhereItIsCutOff) {
  const std::string whole = kHead + ".loc 1 7 3\nld.global.f32 %f1, [%rd1];\n" + kTail;
  const auto why = [&](std::size_t bytes) {
    return std::string(Cubin::ParseCode(whole.substr(0, bytes)).status().message());
  };
  EXPECT_EQ(why(whole.find("ret;")), "PTX text that is cut off, in k");
  EXPECT_EQ(why(whole.find(".file")), "PTX text that is cut off: it does not name its file 1");
  EXPECT_EQ(why(whole.find(".visible")), "PTX text without a function");
}

TEST(PtxFileTest, IsNamedWhereACommentWithoutAnEndHidesTheRest) {
  const std::string text = kHead + ".loc 1 7 3\nld.global.f32 %f1, [%rd1];\n" + kTail;
  EXPECT_EQ(
      Cubin::ParseCode(text + "/* .visible .entry l() { ret; }").status().message(),
      "PTX text that is cut off: it ends within brackets, a comment or a string, or code stands "
      "behind a directive of lines or of the version");
  EXPECT_TRUE(Cubin::ParseCode(text + "/* all of it */").ok());
}

TEST(PtxFileTest, IsRefusedWhereAFunctionHasNoName) {
  std::string text = kHead + ".loc 1 7 3\nld.global.f32 %f1, [%rd1];\n" + kTail;
  text.replace(text.find(".entry k"), 8, ".entry ");
  EXPECT_EQ(Cubin::ParseCode(text).status().message(), "PTX text with a nameless function");
}

TEST(PtxFileTest, IsRefusedWhereTwoFunctionsHaveOneName) {
  const std::string body = ".loc 1 7 3\nld.global.f32 %f1, [%rd1];\n";
  const std::string again = "ret;\n}\n.visible .entry k(.param .u64 k_0)\n{\n.loc 1 5 0\n" + body;
  EXPECT_EQ(Cubin::ParseCode(kHead + body + again + kTail).status().message(),
            "PTX text with two functions k");
}

TEST(PtxFileTest, IsNeededToNameItsTarget) {
  EXPECT_TRUE(IsPtxText(kHead));
  EXPECT_FALSE(IsPtxText("int main() {}"));
  EXPECT_FALSE(IsPtxText(std::string("\177ELF\0.version .target sm_90", 26)));
}

}  // namespace
}  // namespace coalcheck::cubin
