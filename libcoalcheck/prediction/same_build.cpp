// SPDX-License-Identifier: Apache-2.0
//
// Holds each machine instruction against the PTX in the line that it is said to be made of.
#include "libcoalcheck/prediction/same_build.h"

#include <fmt/format.h>

#include <optional>

#include "libcoalcheck/address/program.h"
#include "libcoalcheck/cubin/ptx_text.h"

namespace coalcheck::prediction {
namespace {

// The assembler may make a reduction of an atomic whose result nobody uses.
cubin::AccessKind Alike(cubin::AccessKind kind) {
  return kind == cubin::AccessKind::kReduction ? cubin::AccessKind::kAtomic : kind;
}

bool Contradicts(const cubin::GlobalAccess& access, const ptx::Instruction& instruction) {
  const std::optional<cubin::PtxAccess> said = cubin::ReadPtxAccess(instruction.text);
  if (!said || Alike(said->kind) != Alike(access.kind)) return true;
  if (said->width == Bytes(0) || access.width == Bytes(0)) return false;
  // Of a vector, and of what is loaded, the assembler may leave out what is not used.
  const bool may_be_part = instruction.code.vector > 1 || access.kind == cubin::AccessKind::kLoad;
  return may_be_part ? access.width > said->width : access.width != said->width;
}

}  // namespace

std::string WhyOtherBuild(const cubin::Function& function,
                          const address::AccessFormulas& formulas) {
  for (const cubin::GlobalAccess& access : function.accesses) {
    if (access.ptx_line == 0 || access.ptx.empty()) continue;
    const ptx::Function& code = formulas.function();
    // The assembler puts functions that a kernel calls behind it: their lines are elsewhere.
    if (access.ptx_line < code.first_line || access.ptx_line > code.last_line) continue;
    const std::optional<cubin::AccessKind> special = cubin::ReadSpecialAccess(access.ptx);
    if (special && Alike(*special) == Alike(access.kind)) continue;
    const std::uint32_t number = formulas.InstructionAt(access.pc);
    const bool is_access = number != ptx::kNone;
    if (is_access && !Contradicts(access, code.instructions[number])) continue;
    return fmt::format("it was not made from its PTX, whose line {} is no {} of {} bytes",
                       access.ptx_line, cubin::ToString(access.kind), access.width.count());
  }
  return {};
}

}  // namespace coalcheck::prediction
