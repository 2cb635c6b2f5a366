// SPDX-License-Identifier: Apache-2.0
//
// What the reader makes of PTX text, and of text that is none.
#include "libcoalcheck/ptx/reader.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/slice.h"
#include "tests/support/linear_time.h"

namespace coalcheck::ptx {
namespace {

constexpr char kText[] = R"(.version 8.7
.target sm_90
.global .align 4 .b8 table[64];
.func (.param .b32 result) helper(.param .b32 x);
.visible .entry first(
  .param .u64 .ptr .global .align 4 first_param_0,
  .param .u8 first_param_1,
  .param .align 8 .b8 first_param_2[24],
  .param .f64 first_param_3
)
.maxntid 128, 2, 1
{
  .reg .b32 %r<4>;
  .reg .pred p;
  .loc 1 5 2
  mov.u32 %r1, %tid.x; // a comment
  /* and
     another */ ld.param.u64 %rd1, [first_param_0];
  setp.lt.s32 %p1|%p2, %r1, -5;
  @!%p1 bra DONE;
  ld.global.v2.f32 {%f1, _}, [%rd1+-8];
  { .reg .b32 %r1; mov.u32 %r1, 7; mov.u32 %r2, %r1; }
  mov.u32 %r3, table+12;
DONE:
  ret;
}
.entry second() { exit; }
)";

// The function's names are views into its text, which is kept.
Function ReadOne(std::string text) {
  static std::deque<std::string> texts;
  const Module module(texts.emplace_back(std::move(text)));
  return module.functions().empty() ? Function() : module.Read(module.functions()[0]);
}

TEST(Reader, FindsFunctionsWithBodiesAndTheirLines) {
  const Module module{std::string_view(kText)};
  EXPECT_EQ(module.version(), 87U);
  ASSERT_EQ(module.functions().size(), 2U);
  EXPECT_EQ(module.functions()[0].name, "first");
  EXPECT_TRUE(module.functions()[0].is_kernel);
  EXPECT_EQ(module.functions()[0].first_line, 5U);
  EXPECT_EQ(module.functions()[0].last_line, 26U);
  EXPECT_EQ(module.At(20), module.Find("first"));
  EXPECT_EQ(module.At(27), module.Find("second"));
  EXPECT_EQ(module.At(3), nullptr);
  EXPECT_EQ(module.Find("helper"), nullptr);
}

TEST(Reader, AlignsParametersAsTheyWant) {
  const Function function = ReadOne(kText);
  ASSERT_EQ(function.parameters.size(), 4U);
  EXPECT_EQ(function.parameters[1].offset, 8U);
  EXPECT_EQ(function.parameters[1].bytes, 1U);
  EXPECT_EQ(function.parameters[2].offset, 16U);
  EXPECT_EQ(function.parameters[2].bytes, 24U);
  EXPECT_EQ(function.parameters[3].offset, 40U);
  EXPECT_EQ(function.max_threads[0], 128U);
  EXPECT_EQ(function.max_threads[1], 2U);
}

TEST(Reader, KeepsGuardsVectorsOffsetsAndLines) {
  const Function function = ReadOne(kText);
  ASSERT_EQ(function.instructions.size(), 9U);
  const Instruction& branch = function.instructions[3];
  EXPECT_TRUE(branch.guard_negated);
  EXPECT_EQ(function.registers[branch.guard], "%p1");
  EXPECT_EQ(function.OperandsOf(branch)[0].kind, Operand::Kind::kLabel);
  EXPECT_EQ(function.OperandsOf(branch)[0].id, 8U);
  const Instruction& load = function.instructions[4];
  EXPECT_EQ(load.line, 21U);
  EXPECT_EQ(function.OperandsOf(load)[0].count, 2U);
  EXPECT_TRUE(function.OperandsOf(load)[1].is_memory);
  EXPECT_EQ(function.OperandsOf(load)[1].value, -8);
  EXPECT_EQ(function.OperandsOf(function.instructions[2])[3].value, -5);
  const Operand& symbol = function.OperandsOf(function.instructions[7])[1];
  EXPECT_EQ(symbol.kind, Operand::Kind::kSymbol);
  EXPECT_EQ(function.symbols[symbol.id].name, "table");
  EXPECT_EQ(symbol.value, 12);
}

TEST(Reader, LetsRegistersOfABlockHideThoseOutside) {
  const Function function = ReadOne(kText);
  const auto outer = Writes(function, function.instructions[0]);
  const auto inner = Writes(function, function.instructions[5]);
  EXPECT_NE(outer, inner);
  EXPECT_EQ(Reads(function, function.instructions[6]), inner);
}

TEST(Reader, EndsLinesAtNulWhereACubinDoes) {
  std::string text = kText;
  for (char& c : text) {
    if (c == '\n') c = '\0';
  }
  const Module module(text);
  ASSERT_EQ(module.functions().size(), 2U);
  EXPECT_EQ(module.functions()[0].first_line, 5U);
  EXPECT_EQ(module.Read(module.functions()[0]).instructions[4].line, 21U);
}

// Everything that is made of a text, so that a sanitizer sees it.
void ReadAll(const std::string& text) {
  const Module module(text);
  for (const Module::Entry& entry : module.functions()) {
    const Function function = module.Read(entry);
    const ControlFlow flow(function);
    const std::vector<bool> slice = AddressSlice(function, flow).instructions;
    ASSERT_EQ(slice.size(), function.instructions.size());
  }
}

TEST(Reader, TakesATextThatIsCutAnywhere) {
  const std::string text = kText;
  for (std::size_t length = 0; length < text.size(); ++length) ReadAll(text.substr(0, length));
}

TEST(Reader, TakesBytesThatAreNoText) {
  std::mt19937 draw(3);
  for (int i = 0; i < 200; ++i) {
    std::string text = kText;
    for (int k = 0; k < 20; ++k) text[draw() % text.size()] = static_cast<char>(draw() % 256);
    ReadAll(text);
  }
}

TEST(Reader, TakesAJumpThroughATableThatIsALabel) {
  ReadAll(".entry k() { L: brx.idx %r1, L; ret; }");
  ReadAll(".entry k() { brx.idx %r1, T; T: .branchtargets A, B, C; A: ret; }");
  const Function function =
      ReadOne(".entry k() { T: .branchtargets A, B; brx.idx %r1, T; A: ret; B: exit; }");
  const ControlFlow flow(function);
  EXPECT_EQ(flow.blocks()[0].next.size(), 2U);
}

TEST(Reader, TakesNumbersThatDoNotFit) {
  const Function function = ReadOne(
      ".entry k(.param .align 99999999999 .b8 p[99999999999999999999], .param .u32 q[4294967295]"
      "[4294967295]) { mov.u64 %rd1, 99999999999999999999; ret; }");
  ASSERT_EQ(function.parameters.size(), 2U);
  // What nobody can read is a register that holds something else each time.
  EXPECT_EQ(function.instructions[0].code.op, Op::kOfLane);
  EXPECT_EQ(function.OperandsOf(function.instructions[1])[1].kind, Operand::Kind::kRegister);
}

std::string Repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Reader, TakesAMillionBraces) {
  support::ExpectLinearTime(250'000,
                            [](std::size_t n) { ReadAll(".entry k() " + Repeated("{", n)); });
  support::ExpectLinearTime(75'000, [](std::size_t n) {
    ReadAll(".entry k() {" + Repeated("{ .reg .b32 %a;", n) + Repeated("}", n) + "}");
  });
}

TEST(Reader, TakesFourMegabytesOfOneInstruction) {
  support::ExpectLinearTime(200'000, [](std::size_t n) {
    ReadAll(".entry k() { add.s32 " + Repeated("%r1, ", n) + "; ret; }");
  });
}

TEST(Reader, TakesManyLabels) {
  support::ExpectLinearTime(50'000, [](std::size_t n) {
    std::string text = ".entry k() {";
    for (std::size_t i = 0; i < n; ++i) {
      text += "L" + std::to_string(i) + ": @%p bra L" + std::to_string(i) + ";\n";
    }
    ReadAll(text + "}");
  });
}

TEST(Reader, TakesManyBranchesToOneLabel) {
  support::ExpectLinearTime(50'000, [](std::size_t n) {
    ReadAll(".entry k() { L: " + Repeated("@%p bra L;\n", n) + "}");
  });
}

TEST(Reader, TakesManyJumpsThroughOneLongTable) {
  const Function function = ReadOne(".entry k() { L: T: .branchtargets " + Repeated("L, ", 20'000) +
                                    "L;\n" + Repeated("brx.idx %r1, T;\n", 2'000) + "ret; }");
  EXPECT_FALSE(function.is_complete);
  EXPECT_LE(function.targets.size(), 1U << 16U);
}

TEST(Reader, LeavesVariablesOutThatWouldBeCopiedForTooManyFunctions) {
  const auto module_of = [](std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += ".global .u8 g" + std::to_string(i) + ";\n";
    for (std::size_t i = 0; i < n; ++i) text += ".entry k" + std::to_string(i) + "() { ret; }\n";
    return text;
  };
  const std::string few = module_of(100);
  EXPECT_EQ(Module(few).globals(), 100U);
  const std::string many = module_of(5'000);
  EXPECT_EQ(Module(many).globals(), 0U);
}

TEST(Reader, StopsAtItsBoundAndSaysSo) {
  const Function function =
      ReadOne(".entry k() {" + Repeated("ret;", kMostInstructions + 10) + "}");
  EXPECT_EQ(function.instructions.size(), kMostInstructions);
  EXPECT_FALSE(function.is_complete);
}

}  // namespace
}  // namespace coalcheck::ptx
