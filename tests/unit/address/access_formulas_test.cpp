// SPDX-License-Identifier: Apache-2.0
//
// Which instruction of the PTX an access was made of, and formulas of PTX that no compiler writes.
#include "libcoalcheck/address/access_formulas.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "libcoalcheck/cubin/ptx_file.h"
#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

const std::string kTwoInALine =
    "mul.wide.s32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd4];\n";

TEST(AccessFormulas, TellAccessesOfOneLineOfAPtxFileApart) {
  const std::string text = KernelText(kTwoInALine);
  std::deque<std::string> names;
  const auto file = cubin::ReadPtxFile(text, names);
  ASSERT_TRUE(file.ok()) << file.status();
  PtxModules modules;
  const cubin::Function& function = file->functions.at(0);
  const AccessFormulas formulas(function, modules);
  ASSERT_EQ(function.accesses.size(), 2U);
  const std::uint32_t first = formulas.InstructionAt(function.accesses[0].pc);
  const std::uint32_t second = formulas.InstructionAt(function.accesses[1].pc);
  ASSERT_NE(first, ptx::kNone);
  ASSERT_NE(second, ptx::kNone);
  EXPECT_EQ(second, first + 1);
}

// Joins machine code with the last line of a kernel that holds these lines.
std::uint32_t InstructionOfLast(const std::string& body) {
  const std::string text = KernelText(body);
  const std::size_t end = text.find(body) + body.size() - 1;
  const std::size_t begin = text.rfind('\n', end - 1) + 1;
  cubin::Function function;
  function.name = "k";
  function.is_kernel = true;
  function.ptx_text = text;
  cubin::GlobalAccess access;
  access.pc = PcOffset(16);
  access.ptx = std::string_view(text).substr(begin, end - begin);
  access.ptx_line = 1;
  for (const char c : text.substr(0, begin)) access.ptx_line += c == '\n' ? 1 : 0;
  function.accesses = {access};
  PtxModules modules;
  return AccessFormulas(function, modules).InstructionAt(PcOffset(16));
}

TEST(AccessFormulas, DoNotJoinMachineCodeWithALineOfSeveralAccesses) {
  EXPECT_EQ(InstructionOfLast(kTwoInALine), ptx::kNone);
}

// Of a PTX file whose kernel holds these lines: the instruction of its access with that number.
std::uint32_t InstructionIn(const std::string& body, std::size_t number) {
  const std::string text = KernelText(body);
  std::deque<std::string> names;
  const auto file = cubin::ReadPtxFile(text, names);
  EXPECT_TRUE(file.ok()) << file.status();
  PtxModules modules;
  const AccessFormulas formulas(file->functions.at(0), modules);
  return formulas.InstructionAt(file->functions[0].accesses.at(number).pc);
}

TEST(AccessFormulas, JoinNoAccessThatIsNotFollowedWithAnotherOneOfItsLine) {
  const std::string load = "ld.global.f32 %f1, [%rd1];";
  for (const std::string special :
       {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r6, %r7}, [%rd2], 512;",
        "multimem.ld_reduce.relaxed.sys.global.add.f32 %f2, [%rd2];"}) {
    EXPECT_NE(InstructionIn(load + special + "\n", 0), ptx::kNone) << special;
    EXPECT_EQ(InstructionIn(load + special + "\n", 1), ptx::kNone) << special;
    EXPECT_EQ(InstructionIn(special + load + "\n", 0), ptx::kNone) << special;
    EXPECT_NE(InstructionIn(special + load + "\n", 1), ptx::kNone) << special;
  }
}

TEST(AccessFormulas, JoinMachineCodeWithNoLineThatMayHoldAnAccessThatIsNotFollowed) {
  const std::string load = "ld.global.f32 %f1, [%rd1];";
  EXPECT_NE(InstructionOfLast(load + "\n"), ptx::kNone);
  EXPECT_NE(InstructionOfLast("mov.u32 %r6, 1; " + load + " ld.shared.f32 %f2, [%r6];\n"),
            ptx::kNone);
  for (const std::string other :
       {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r6}, [%rd2], 512;",
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2], {%f2}, 512;",
        "frobnicate.global.f32 %f2, [%rd2];"}) {
    EXPECT_EQ(InstructionOfLast(load + " " + other + "\n"), ptx::kNone) << other;
    EXPECT_EQ(InstructionOfLast(other + " " + load + "\n"), ptx::kNone) << other;
  }
}

TEST(AccessFormulas, TakeAChainOfRemaindersOfAnyLength) {
  std::string body = "mov.u32 %r6, %r1;\n";
  for (int by = 60'000; by >= 2; by -= 2) {
    body += "rem.u32 %r6, %r6, " + std::to_string(by) + ";\n";
  }
  const std::string text = KernelText(body + std::string(kIndexed));
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const FunctionFormulas formulas(function, flow);
  EXPECT_GT(formulas.work(), 0U);
}

}  // namespace
}  // namespace coalcheck::address
