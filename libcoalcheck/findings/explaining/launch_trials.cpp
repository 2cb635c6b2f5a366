// SPDX-License-Identifier: Apache-2.0
//
// Numbers what was counted as the kernel with the functions it calls does, and what came of it
// back.
#include "libcoalcheck/findings/explaining/launch_trials.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::findings {
namespace {

using Numbers = std::map<std::uint32_t, std::uint32_t>;

// Whether each of its requests is to a table of the CUDA runtime, in which its mathematical
// functions look numbers up.
bool IsOfRuntime(const address::EvaluatedAccess& access, const ptx::Function& function) {
  using Kind = address::Origin::Kind;
  const auto is_of_program = [&](const address::Origin& origin) {
    const bool is_variable = origin.kind == Kind::kVariable;
    return origin.kind == Kind::kParameter ||
           (is_variable && !function.symbols[origin.place].name.starts_with("__cudart_"));
  };
  return access.variable_base > 0 && access.variable_base >= access.sums.requests &&
         std::ranges::none_of(access.origins, is_of_program);
}

// By an instruction's number in the kernel's own PTX: its number where the functions that it calls
// stand in it. Empty where one of these asks for global memory of the program's, which was counted
// elsewhere.
std::optional<Numbers> OwnAccesses(const CountedKernel& kernel) {
  const ptx::Function& function = kernel.program.function();
  const std::vector<ptx::Instruction>& all = function.instructions;
  const auto own = [&](std::size_t i) { return kernel.formulas.InstructionWith(all[i].text); };
  for (const address::EvaluatedAccess& access : kernel.evaluation.accesses) {
    const bool is_own = own(access.instruction) != ptx::kNone;
    if (!is_own && !IsOfRuntime(access, function)) return std::nullopt;
  }
  Numbers numbers;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (const std::uint32_t number = own(i); number != ptx::kNone) numbers.try_emplace(number, i);
  }
  return numbers;
}

address::Sums Each(const Counts& counts, double launches) {
  const auto each = [launches](auto count) {
    return static_cast<double>(count.count()) / launches;
  };
  return {each(counts.requests), each(counts.lanes), each(counts.sectors), each(counts.ideal),
          each(counts.lines)};
}

moves::Subject SubjectOf(const CountedKernel& kernel, const address::FunctionFormulas& formulas,
                         const Numbers& numbers) {
  moves::Subject subject{kernel.program, formulas, kernel.values, kernel.evaluation, {}, {}};
  subject.is_whole = !kernel.has_strays;
  subject.multiprocessors = kernel.multiprocessors;
  for (const auto& [instruction, one] : kernel.counted) {
    if (one.counts.requests == Requests(0)) continue;
    const std::uint32_t number = numbers.at(instruction);  // each is an access of the kernel's own
    subject.counted[number] = Each(one.counts, kernel.launches);
    if (kernel.confirmed.contains(instruction)) subject.confirmed.insert(number);
    if (kernel.by_data.contains(instruction)) subject.by_data.insert(number);
    const auto line = kernel.lines.find(instruction);
    if (line != kernel.lines.end()) subject.lines[number] = line->second;
  }
  return subject;
}

Numbers Inverse(const Numbers& numbers) {
  Numbers inverse;
  for (const auto& [own, other] : numbers) inverse.emplace(other, own);
  return inverse;
}

}  // namespace

moves::TriedMoves TryMovesOn(const CountedKernel& kernel, std::uint64_t& steps) {
  moves::TriedMoves none;
  if (steps < moves::kLeastSteps) {
    none.why_not = moves::kTooLong;
    return none;
  }
  const std::optional<Numbers> numbers = OwnAccesses(kernel);
  if (!numbers) {
    none.why_not = "a function that it calls accesses global memory, too";
    return none;
  }
  const ptx::Function& function = kernel.program.function();
  const bool has_called =
      function.instructions.size() != kernel.formulas.function().instructions.size();
  std::optional<address::FunctionFormulas> with_called;
  if (has_called) with_called.emplace(function, kernel.program.flow());
  const moves::Subject subject =
      SubjectOf(kernel, with_called ? *with_called : kernel.formulas.formulas(), *numbers);
  moves::TriedMoves tried = moves::TryMoves(subject, steps);
  const Numbers own = Inverse(*numbers);
  for (auto* moves : {&tried.helpful, &tried.rejected}) {
    for (moves::Move& move : *moves) {
      for (moves::Change& change : move.changes) change.instruction = own.at(change.instruction);
    }
  }
  return tried;
}

std::vector<moves::FetchedAgain> FetchedAgainOn(const CountedKernel& kernel, std::uint64_t& steps) {
  const std::optional<Numbers> numbers = OwnAccesses(kernel);
  if (!numbers) return {};
  Numbers lines;
  for (const auto& [instruction, one] : kernel.counted) {
    const auto line = kernel.lines.find(instruction);
    const bool is_looked_at = one.kind == cubin::AccessKind::kLoad &&
                              one.counts.Wasted() == Sectors(0) &&
                              kernel.confirmed.contains(instruction);
    if (line == kernel.lines.end() || !is_looked_at) continue;
    lines.emplace(numbers->at(instruction), line->second);
  }
  std::vector<moves::FetchedAgain> found =
      moves::FindFetchedAgain(kernel.program, kernel.values, lines, steps);
  const Numbers own = Inverse(*numbers);
  for (moves::FetchedAgain& one : found) one.instruction = own.at(one.instruction);
  return found;
}

}  // namespace coalcheck::findings
