// SPDX-License-Identifier: Apache-2.0
//
// Bytes as PTX: no crash, operands and blocks that lie where they say, and an address in words for
// each access that can be reached.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/address/formula_words.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/ptx/control_flow.h"
#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"
#include "tests/fuzz/require.h"

using namespace coalcheck;

namespace {

void RequireOperands(const ptx::Function& function) {
  for (const ptx::Instruction& one : function.instructions) {
    for (const std::uint32_t id : ptx::Reads(function, one)) {
      Require(id < function.registers.size());
    }
    for (const std::uint32_t id : ptx::Writes(function, one)) {
      Require(id < function.registers.size());
    }
    for (const ptx::Operand& operand : function.OperandsOf(one)) {
      Require(operand.kind != ptx::Operand::Kind::kSymbol || operand.id < function.symbols.size());
    }
  }
}

void RequireFormulas(const ptx::Function& function) {
  const ptx::ControlFlow flow(function);
  const address::FunctionFormulas formulas(function, flow);
  const address::FormulaLanes lanes(formulas);
  const address::FormulaNames names{{}, [](std::uint32_t) { return std::string("a line"); }};
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const address::Formula* formula = formulas.Of(i);
    if (formula == nullptr) continue;
    Require(!address::Words(formulas, *formula, names).empty());
    address::LaneWords(formulas, lanes.Of(i), Bytes(4), names);
    Require(address::ConstantDistance(*formula, *formula) == 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto code = cubin::Cubin::ParsePtx(std::string(text)); code.ok()) {
    for (const cubin::Function& function : code->functions()) Require(!function.name.empty());
  }
  const ptx::Module module(text);
  for (const ptx::Module::Entry& entry : module.functions()) {
    Require(entry.begin <= entry.end && entry.end <= size);
    const ptx::Function function = module.Read(entry);
    RequireOperands(function);
    RequireFormulas(function);
  }
  return 0;
}
