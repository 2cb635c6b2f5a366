// SPDX-License-Identifier: Apache-2.0
//
// Moves on kernels that call functions: what was counted is the kernel's own, or it is not known.
#include "libcoalcheck/findings/explaining/launch_trials.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "libcoalcheck/findings/explaining/explanations.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::findings {
namespace {

// out[i] = f(in[3 * i]), where `body` of f(float, pointer) is given.
std::string TextWith(std::string_view body) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".global .align 8 .b8 __cudart_i2opi_f[24] = {1};\n.global .align 8 .b8 table[24] = {1};\n"
         ".visible .func (.param .b32 func_retval0) f(\n"
         ".param .b32 f_param_0,\n.param .b64 f_param_1\n)\n{\n"
         "ld.param.f32 %f1, [f_param_0];\nld.param.u64 %rd1, [f_param_1];\n" +
         std::string(body) +
         "st.param.f32 [func_retval0+0], %f2;\nret;\n}\n"
         ".visible .entry k(.param .u64 p, .param .u64 q)\n{\n"
         "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nmov.u32 %r3, %ctaid.x;\n"
         "mov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\nmad.lo.s32 %r1, %r3, %r4, %r5;\n"
         "mul.wide.s32 %rd3, %r1, 12;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4];\n"
         "{\n.reg .b32 temp_param_reg;\n.param .b32 param0;\nst.param.f32 [param0+0], %f1;\n"
         ".param .b64 param1;\nst.param.b64 [param1+0], %rd1;\n.param .b32 retval0;\n"
         "call.uni (retval0),\nf,\n(\nparam0,\nparam1\n);\nld.param.f32 %f9, [retval0+0];\n}\n"
         "mul.wide.s32 %rd5, %r1, 4;\nadd.s64 %rd6, %rd2, %rd5;\nst.global.f32 [%rd6], %f9;\n"
         "ret;\n}\n";
}

// Eight warps of four blocks, whose loads touch 12 sectors in 3 lines and whose stores 4 in 1.
class Launched {
 public:
  explicit Launched(std::string_view body) : text_(TextWith(body)) {
    function_.name = "k";
    function_.is_kernel = true;
    function_.ptx_text = text_;
    const ptx::Module module(text_);
    const ptx::Function code = module.Read(*module.Find("k"));
    launch_.kernel = "k";
    launch_.grid = {4, 1, 1};
    launch_.block = {64, 1, 1};
    launch_.launches = Launches(1);
    launch_.arguments.launches = Launches(1);
    const std::uint64_t pointers[] = {0x700000000000, 0x700010000000};
    launch_.arguments.bytes.assign(reinterpret_cast<const char*>(pointers), sizeof(pointers));
    for (const ptx::Instruction& one : code.instructions) {
      if (!ptx::IsGlobalAccess(one)) continue;
      const bool is_load = one.code.op == ptx::Op::kLd;
      cubin::GlobalAccess access;
      access.pc = PcOffset(is_load ? 16 : 32);
      access.kind = is_load ? cubin::AccessKind::kLoad : cubin::AccessKind::kStore;
      access.width = Bytes(4);
      access.ptx_line = one.line;
      function_.accesses.push_back(access);
      RawCounts& counts = launch_.counts[access.pc];
      counts.direct = {Requests(8), Lanes(8 * 32), Sectors(is_load ? 8 * 12 : 8 * 4),
                       Sectors(8 * 4), CacheLines(is_load ? 8 * 3 : 8)};
      counted_.instructions[access.pc].counts = counts;
    }
    counted_.counted.push_back(launch_);
  }

  moves::TriedMoves Try() {
    address::PtxModules modules;
    StepsLeft steps{1'000'000, 1'000'000};
    const Explanations explanations(function_, modules, counted_, steps);
    load_ = explanations.formulas().InstructionAt(PcOffset(16));
    store_ = explanations.formulas().InstructionAt(PcOffset(32));
    return explanations.tried() == nullptr ? moves::TriedMoves() : explanations.tried()->moves;
  }
  // As the kernel's own PTX numbers them; the store stands behind the call.
  std::uint32_t load() const { return load_; }
  std::uint32_t store() const { return store_; }

 private:
  std::string text_;
  cubin::Function function_;
  CountedLaunch launch_;
  FunctionAggregate counted_;
  std::uint32_t load_ = 0;
  std::uint32_t store_ = 0;
};

TEST(LaunchTrials, MovesAreTriedOnAKernelWhoseFunctionsOnlyCompute) {
  Launched launched("add.f32 %f2, %f1, %f1;\n");
  const moves::TriedMoves tried = launched.Try();
  EXPECT_EQ(tried.why_not, "");
  const auto fields =
      std::ranges::find(tried.helpful, moves::MoveKind::kFieldArrays, &moves::Move::kind);
  ASSERT_NE(fields, tried.helpful.end());
  const moves::Change* change = fields->Find(launched.load());
  ASSERT_NE(change, nullptr);
  EXPECT_NE(fields->Find(launched.store()), nullptr) << "numbered as the kernel is";
  EXPECT_EQ(change->before.sectors, 8 * 12);
  EXPECT_EQ(change->after.sectors, 8 * 4);
}

TEST(LaunchTrials, NoneIsTriedWhereAFunctionThatIsCalledAccessesMemory) {
  const moves::TriedMoves tried = Launched("ld.global.f32 %f2, [%rd1];\n").Try();
  EXPECT_FALSE(tried.tried);
  EXPECT_EQ(tried.why_not, "a function that it calls accesses global memory, too");
}

TEST(LaunchTrials, MovesAreTriedWhereAFunctionThatIsCalledLooksANumberUpInATableOfTheRuntime) {
  const auto looked_up = [](std::string_view table) {
    return fmt::format("mov.u64 %rd2, {};\nld.global.nc.f32 %f2, [%rd2+8];\n", table);
  };
  EXPECT_EQ(Launched(looked_up("__cudart_i2opi_f")).Try().why_not, "");
  EXPECT_EQ(Launched(looked_up("table")).Try().why_not,
            "a function that it calls accesses global memory, too");
}

}  // namespace
}  // namespace coalcheck::findings
