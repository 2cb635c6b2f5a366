// SPDX-License-Identifier: Apache-2.0
//
// The frame of the kernels: their parameters and their threads' indices.
#include "tests/unit/address/small_kernel.h"

#include <gtest/gtest.h>

#include <cstring>

#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::address {

std::string KernelText(std::string_view body) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u32 k_param_2)\n"
         "{\n.reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .f32 %f<99>;\n.reg .b64 %rd<99>;\n"
         "ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\n"
         "ld.param.u32 %r2, [k_param_2];\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
         "mov.u32 %r5, %tid.x;\nmad.lo.s32 %r1, %r3, %r4, %r5;\n" +
         std::string(body) + "ret;\n}\n";
}

std::string Arguments(std::uint32_t number) {
  const std::uint64_t pointers[2] = {0x700000000000, 0x700010000000};
  std::string bytes(20, '\0');
  std::memcpy(bytes.data(), pointers, sizeof(pointers));
  std::memcpy(bytes.data() + 16, &number, sizeof(number));
  return bytes;
}

LaunchEvaluation EvaluateKernel(std::string_view body, Extent grid, Extent block,
                                std::uint32_t argument, const EvaluationLimits& limits) {
  const std::string text = KernelText(body);
  const ptx::Module module(text);
  const ptx::Function function = module.Read(module.functions().at(0));
  const ptx::ControlFlow flow(function);
  const Program program(function, flow);
  const std::string arguments = Arguments(argument);
  return Evaluate(program, {grid, block, arguments, 0}, limits);
}

EvaluatedAccess Evaluated(std::string_view body, std::size_t number, Extent block, Extent grid,
                          std::uint32_t argument) {
  const LaunchEvaluation evaluation = EvaluateKernel(body, grid, block, argument);
  EXPECT_TRUE(evaluation.is_complete);
  return evaluation.accesses.at(number);
}

}  // namespace coalcheck::address
