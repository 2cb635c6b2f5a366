// SPDX-License-Identifier: Apache-2.0
//
// Evaluates launches of bytes as PTX: it ends within its steps, says the same twice, and no sum is
// negative or less than what it is a part of.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/ptx/reader.h"
#include "tests/fuzz/require.h"

using namespace coalcheck;

namespace {

constexpr std::uint64_t kSteps = 4000;  // of all functions of a module

void RequireSums(const address::Sums& sums) {
  Require(sums.requests > 0 && sums.lanes >= sums.requests);
  Require(sums.sectors >= 0 && sums.ideal >= 0 && sums.lines >= 0);
  Require(sums.ideal <= sums.sectors * (1 + 1e-9) && sums.lines <= sums.sectors * (1 + 1e-9));
}

void RequireEvaluation(const address::Program& program, const address::LaunchValues& launch,
                       std::uint64_t steps) {
  const address::EvaluationLimits limits{steps, 2};
  const address::LaunchEvaluation once = address::Evaluate(program, launch, limits);
  const address::LaunchEvaluation twice = address::Evaluate(program, launch, limits);
  Require(once.steps <= steps + 1 && once.steps == twice.steps);
  Require(once.accesses.size() == twice.accesses.size());
  for (std::size_t i = 0; i < once.accesses.size(); ++i) {
    const address::EvaluatedAccess& access = once.accesses[i];
    Require(access.instruction < program.function().instructions.size());
    Require(access.sums.requests == twice.accesses[i].sums.requests);
    Require(access.sums.sectors == twice.accesses[i].sums.sectors);
    RequireSums(access.sums);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ptx::Module module(text);
  // Reports give each launch its share, too; a hundred small functions took a hundred times as
  // long.
  const std::uint64_t steps = kSteps / std::max<std::size_t>(module.functions().size(), 1) + 1;
  for (const ptx::Module::Entry& entry : module.functions()) {
    const ptx::Function function = module.Read(entry);
    const ptx::ControlFlow flow(function);
    const address::Program program(function, flow);
    if (program.slots() > 4096) continue;
    // The text is the arguments, too: any bytes will do.
    RequireEvaluation(program, {{3, 2, 1}, {33, 2, 1}, text.substr(0, 64), 0}, steps);
    RequireEvaluation(program, {{1, 1, 1}, {32, 1, 1}, {}, 0}, steps);
  }
  return 0;
}
