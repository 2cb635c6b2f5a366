// SPDX-License-Identifier: Apache-2.0
//
// What names in blocks of braces stand for, and operands that are no plain ones.
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::ptx {
namespace {

// The names are views into the text, which is kept.
Function ReadScopes(const std::string& body) {
  static std::deque<std::string> texts;
  const Module module(
      texts.emplace_back(".version 8.0\n.target sm_80\n.global .u32 outside;\n"
                         ".entry k(.param .u64 a) {\n" +
                         body + "\n}\n"));
  return module.Read(module.functions().at(0));
}

Operand OperandOf(const Function& function, std::size_t instruction, std::size_t operand) {
  return function.OperandsOf(function.instructions.at(instruction))[operand];
}

TEST(Scopes, GiveEachBlockItsOwnLabelOfAName) {
  const Function function = ReadScopes(
      "{ bra DONE; mov.u32 %r1, 1; DONE: mov.u32 %r1, 2; }\n"
      "{ bra DONE; mov.u32 %r1, 3; DONE: mov.u32 %r1, 4; }");
  EXPECT_TRUE(function.is_complete);
  EXPECT_EQ(OperandOf(function, 0, 0).kind, Operand::Kind::kLabel);
  EXPECT_EQ(OperandOf(function, 0, 0).id, 2U);
  EXPECT_EQ(OperandOf(function, 3, 0).id, 5U);
}

TEST(Scopes, FindLabelsOfTheBlocksAround) {
  const Function function = ReadScopes("{ { bra DONE; } mov.u32 %r1, 1; }\nDONE: ret;");
  EXPECT_EQ(OperandOf(function, 0, 0).kind, Operand::Kind::kLabel);
  EXPECT_EQ(OperandOf(function, 0, 0).id, 2U);
}

TEST(Scopes, MakeAFunctionUnreadableThatHasALabelTwice) {
  EXPECT_FALSE(ReadScopes("L: ret;\nL: ret;").is_complete);
  EXPECT_FALSE(ReadScopes(std::string(100, '{') + std::string(100, '}')).is_complete);
}

TEST(Scopes, ForgetTheVariablesOfABlockBehindIt) {
  const Function function = ReadScopes(
      "{ .local .align 4 .b8 tmp[4]; mov.u32 %r1, tmp; }\n"
      "{ .reg .b32 tmp; mov.u32 tmp, 128; }");
  EXPECT_EQ(OperandOf(function, 0, 1).kind, Operand::Kind::kSymbol);
  EXPECT_EQ(OperandOf(function, 1, 0).kind, Operand::Kind::kRegister);
}

TEST(Scopes, LetTheInnermostDeclarationWin) {
  const Function function = ReadScopes(
      ".reg .b32 outside;\nmov.u32 outside, 1;\n"
      "{ .shared .b32 outside; mov.u32 %r1, outside; }\nmov.u32 %r2, outside;");
  EXPECT_EQ(OperandOf(function, 0, 0).kind, Operand::Kind::kRegister);
  EXPECT_EQ(OperandOf(function, 1, 1).kind, Operand::Kind::kSymbol);
  EXPECT_EQ(OperandOf(function, 2, 1).kind, Operand::Kind::kRegister);
  EXPECT_EQ(OperandOf(function, 2, 1).id, OperandOf(function, 0, 0).id);
}

TEST(Scopes, HideRowsOfRegisters) {
  const Function function = ReadScopes(
      ".reg .b32 %r<9>, t<3>;\nmov.u32 %r1, 1;\nmov.u32 t2, 1;\n"
      "{ .reg .b32 %r<2>; mov.u32 %r1, 2; mov.u32 %r2, 2; }\nmov.u32 %r1, 3;\nmov.u32 %r2, 3;");
  const auto id = [&](std::size_t i) { return OperandOf(function, i, 0).id; };
  EXPECT_EQ(OperandOf(function, 1, 0).kind, Operand::Kind::kRegister);
  EXPECT_NE(id(2), id(0));
  EXPECT_EQ(id(4), id(0));
  EXPECT_EQ(id(5), id(3));
}

TEST(Operands, ThatAreExpressionsAreNotKnown) {
  for (const char* text : {"4*32", "(4*32)", "4|8", "~4", "0x", "-%r2", "a[1]"}) {
    const Function function = ReadScopes(std::string("mov.u32 %r1, ") + text + ";");
    ASSERT_GE(function.instructions.size(), 2U) << text;
    const Instruction& last = function.instructions.back();
    ASSERT_EQ(last.operand_count, 2U) << text;
    const Operand source = function.OperandsOf(last)[1];
    ASSERT_EQ(source.kind, Operand::Kind::kRegister) << text;
    const Instruction& before = function.instructions[function.instructions.size() - 2];
    EXPECT_EQ(before.code.op, Op::kOfLane) << text;
    EXPECT_EQ(Writes(function, before), std::vector<std::uint32_t>{source.id}) << text;
  }
}

TEST(Operands, AddUpAllOffsets) {
  const Function function = ReadScopes(
      "ld.global.u32 %r1, [%rd1+4+8];\nld.global.u32 %r1, [%rd1+-4-8];\nmov.u32 %r1, 4-2;");
  EXPECT_EQ(OperandOf(function, 0, 1).value, 12);
  EXPECT_EQ(OperandOf(function, 1, 1).value, -12);
  EXPECT_EQ(OperandOf(function, 2, 1).value, 2);
}

TEST(Operands, BehindABarAreASecondResult) {
  const Function function = ReadScopes("lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0xc0, %p2;");
  EXPECT_EQ(Writes(function, function.instructions.at(0)).size(), 2U);
  EXPECT_EQ(Reads(function, function.instructions.at(0)).size(), 4U);
}

bool IsUnknown(const std::string& instruction) {
  const Function function = ReadScopes(".reg .v2 .b32 pair;\n" + instruction);
  const std::uint32_t first = OperandOf(function, 0, 0).id;  // what fills the operand comes before
  return function.instructions.size() == 2 && function.registers.at(first) == "unreadable";
}

TEST(Operands, ThatAreFloatsAreKnownInTheirOwnWidthAlone) {
  EXPECT_FALSE(IsUnknown("mov.b32 %r1, 0f42000000;"));
  EXPECT_TRUE(IsUnknown("mul.f32 %f1, %f2, 32.0;"));
  EXPECT_TRUE(IsUnknown("mul.f64 %f1, %f2, 0f42000000;"));
  EXPECT_TRUE(IsUnknown("mul.f32 %f1, %f2, 0d4040000000000000;"));
  EXPECT_TRUE(IsUnknown("mul.f32 %f1, %f2, -0f42000000;"));
}

TEST(Operands, ThatArePartsOfARegisterOrAllOfASpecialOneAreNotKnown) {
  EXPECT_TRUE(IsUnknown("mov.u32 %r1, pair.y;"));
  EXPECT_TRUE(IsUnknown("mov.u32 %r1, %pair.y;"));
  EXPECT_TRUE(IsUnknown("mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;"));
  EXPECT_FALSE(IsUnknown("mov.u32 %r1, %tid.x;"));
}

TEST(Scopes, MakeAFunctionUnreadableOfWhichAnOpcodeIsInSeveralWords) {
  EXPECT_FALSE(ReadScopes("shl .b32 %r1, %r2, 5;").is_complete);
}

TEST(Scopes, MakeAFunctionUnreadableThatHasCodeBehindADirectiveOfALine) {
  EXPECT_FALSE(ReadScopes(".loc 1 6 1 st.global.u32 [%rd1], 0;\nret;").is_complete);
  EXPECT_TRUE(ReadScopes(".loc 1 6 1  // {;}\nret;").is_complete);
}

TEST(Modules, HaveAPragmaBetweenASignatureAndItsBody) {
  const Module module(
      ".entry k(.param .u64 a)\n.pragma \"nounroll\";\n{ ret; }\n.entry m() { ret; }");
  ASSERT_EQ(module.functions().size(), 2U);
  EXPECT_EQ(module.functions()[0].name, "k");
  EXPECT_EQ(module.Read(module.functions()[0]).instructions.size(), 1U);
}

TEST(Modules, ThatHaveCodeBehindADirectiveOfALineAreCut) {
  EXPECT_TRUE(Module(".file 1 \"x\" .visible .entry bad() { ret; }\n").is_cut());
  EXPECT_FALSE(Module(".file 1 \"a;b{}\"\n.entry k() { ret; }\n").is_cut());
}

TEST(Opcode, OfValuesThatAreWiderThanARegisterIsNotComputed) {
  EXPECT_EQ(ReadOpcode("mov.b128").op, Op::kOther);
  EXPECT_EQ(ReadOpcode("mov.b64").op, Op::kMov);
}

}  // namespace
}  // namespace coalcheck::ptx
