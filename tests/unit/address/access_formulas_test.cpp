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

TEST(AccessFormulas, DoNotJoinMachineCodeWithALineOfSeveralAccesses) {
  const std::string text = KernelText(kTwoInALine);
  cubin::Function function;
  function.name = "k";
  function.is_kernel = true;
  function.ptx_text = text;
  cubin::GlobalAccess access;
  access.pc = PcOffset(16);
  const std::size_t begin = text.find("ld.global");
  access.ptx = std::string_view(text).substr(begin, text.find('\n', begin) - begin);
  access.ptx_line = 1;
  for (const char c : text.substr(0, begin)) access.ptx_line += c == '\n' ? 1 : 0;
  function.accesses = {access};
  PtxModules modules;
  const AccessFormulas formulas(function, modules);
  EXPECT_EQ(formulas.InstructionAt(PcOffset(16)), ptx::kNone);
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
