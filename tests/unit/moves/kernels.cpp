// SPDX-License-Identifier: Apache-2.0
//
// Reads, evaluates and confirms a kernel the way a report would.
#include "tests/unit/moves/kernels.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "libcoalcheck/ptx/reader.h"
#include "libcoalcheck/ptx/slice.h"
#include "tests/support/files.h"

namespace coalcheck::moves {

std::string KernelText(std::string_view body) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u32 k_param_2,\n"
         ".param .u32 k_param_3)\n"
         "{\n.reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .b64 %rd<99>;\n.reg .f32 %f<9>;\n"
         ".shared .align 4 .b8 tile[4096];\n"
         "ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\n"
         "ld.param.u32 %r2, [k_param_2];\nld.param.u32 %r3, [k_param_3];\n"
         "mov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\nmov.u32 %r6, %tid.x;\n"
         "mad.lo.s32 %r10, %r4, %r5, %r6;\n"
         "mov.u32 %r7, %ctaid.y;\nmov.u32 %r8, %ntid.y;\nmov.u32 %r9, %tid.y;\n"
         "mad.lo.s32 %r11, %r7, %r8, %r9;\n" +
         std::string(body) + "ret;\n}\n";
}

namespace {

std::string ArgumentsOf(const KernelLaunch& launch) {
  std::string bytes(24, '\0');
  std::memcpy(bytes.data(), &launch.in, 8);
  std::memcpy(bytes.data() + 8, &launch.out, 8);
  std::memcpy(bytes.data() + 16, &launch.width, 4);
  std::memcpy(bytes.data() + 20, &launch.height, 4);
  return bytes;
}

// A kernel that was read, and the values of a launch of it.
struct Held {
  Held(const std::string& its_text, const std::string& name, const KernelLaunch& launch,
       std::string its_arguments)
      : text(its_text),
        module(text),
        function(module.Read(*module.Find(name))),
        flow(function),
        program(function, flow),
        arguments(std::move(its_arguments)),
        values{launch.grid, launch.block, arguments, 0} {}
  Held(std::string_view body, const KernelLaunch& launch)
      : Held(KernelText(body), "k", launch, ArgumentsOf(launch)) {}
  const std::string text;
  const ptx::Module module;
  const ptx::Function function;
  const ptx::ControlFlow flow;
  const address::Program program;
  const std::string arguments;
  const address::LaunchValues values;
};

TriedMoves TryOn(const Held& kernel, const std::vector<std::size_t>& unconfirmed,
                 const std::vector<std::uint32_t>& lines, std::uint64_t steps,
                 std::uint32_t multiprocessors = 0) {
  const address::FunctionFormulas formulas(kernel.function, kernel.flow);
  address::EvaluationLimits limits;
  limits.steps = 2'000'000;
  const address::LaunchEvaluation evaluation =
      address::Evaluate(kernel.program, kernel.values, limits);
  Subject subject{kernel.program, formulas, kernel.values, evaluation, {}, {}};
  subject.multiprocessors = multiprocessors;
  for (std::size_t i = 0; i < evaluation.accesses.size(); ++i) {
    const address::EvaluatedAccess& access = evaluation.accesses[i];
    const std::uint32_t instruction = access.instruction;
    subject.counted[instruction] = access.sums;
    if (access.by_data > 0) subject.counted[instruction].sectors = access.sums.lanes;
    if (i < lines.size()) subject.lines[instruction] = lines[i];
    if (std::ranges::find(unconfirmed, i) != unconfirmed.end()) continue;
    // A variable's place is not known, which the counts do not mind.
    (access.IsOpen() ? subject.by_data : subject.confirmed).insert(instruction);
  }
  return TryMoves(subject, steps);
}

}  // namespace

std::vector<FetchedAgain> FetchedAgainIn(std::string_view body, const KernelLaunch& launch,
                                         bool is_one_line) {
  const Held kernel(body, launch);
  std::map<std::uint32_t, std::uint32_t> lines;
  for (std::uint32_t i = 0; i < kernel.function.instructions.size(); ++i) {
    const ptx::Instruction& one = kernel.function.instructions[i];
    if (one.code.op != ptx::Op::kLd || !ptx::IsGlobalAccess(one)) continue;
    lines.emplace(i, is_one_line ? 0 : static_cast<std::uint32_t>(lines.size()));
  }
  std::uint64_t steps = 1'000'000;
  return FindFetchedAgain(kernel.program, kernel.values, lines, steps);
}

TriedMoves Tried(std::string_view body, const KernelLaunch& launch,
                 const std::vector<std::size_t>& unconfirmed,
                 const std::vector<std::uint32_t>& lines) {
  return TryOn(Held(body, launch), unconfirmed, lines, 20'000'000);
}

const std::string& RepairsPtx() {
  static const std::string text =
      support::FileText(std::string(COALCHECK_MOVES_DIR) + "/repairs.ptx");
  return text;
}

TriedMoves TriedOn(const std::string& kernel, const KernelLaunch& launch, std::string arguments,
                   std::uint32_t multiprocessors) {
  constexpr std::uint64_t kStepsOfReport = 1'000'000;  // for one kernel of three
  return TryOn(Held(RepairsPtx(), kernel, launch, std::move(arguments)), {}, {}, kStepsOfReport,
               multiprocessors);
}

namespace {

std::vector<double> PerRequest(const Move& move, address::Sums Change::*sums) {
  std::vector<double> result;
  for (const Change& change : move.changes) {
    result.push_back((change.*sums).sectors / (change.*sums).requests);
  }
  return result;
}

}  // namespace

std::vector<double> SectorsBefore(const Move& move) { return PerRequest(move, &Change::before); }
std::vector<double> SectorsAfter(const Move& move) { return PerRequest(move, &Change::after); }

const Move* Find(const std::vector<Move>& moves, MoveKind kind) {
  const auto found = std::ranges::find(moves, kind, &Move::kind);
  return found == moves.end() ? nullptr : &*found;
}

}  // namespace coalcheck::moves
