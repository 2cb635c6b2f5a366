// SPDX-License-Identifier: Apache-2.0
//
// Evaluates launches of bytes as PTX: it ends within its steps, says the same twice, and no sum is
// negative or less than what it is a part of.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/ptx/reader.h"
#include "tests/fuzz/require.h"

using namespace coalcheck;

namespace {

constexpr std::uint64_t kSteps = 4000;

void RequireSums(const address::Sums& sums) {
  Require(sums.requests > 0 && sums.lanes >= sums.requests);
  Require(sums.sectors >= 0 && sums.ideal >= 0 && sums.lines >= 0);
  Require(sums.ideal <= sums.sectors * (1 + 1e-9) && sums.lines <= sums.sectors * (1 + 1e-9));
}

void RequireEvaluation(const address::Program& program, const address::LaunchValues& launch) {
  const address::EvaluationLimits limits{kSteps, 2};
  const address::LaunchEvaluation once = address::Evaluate(program, launch, limits);
  const address::LaunchEvaluation twice = address::Evaluate(program, launch, limits);
  Require(once.steps <= kSteps + 1 && once.steps == twice.steps);
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
  for (const ptx::Module::Entry& entry : module.functions()) {
    const ptx::Function function = module.Read(entry);
    const ptx::ControlFlow flow(function);
    const address::Program program(function, flow);
    if (program.slots() > 4096) continue;
    // The text is the arguments, too: any bytes will do.
    RequireEvaluation(program, {{3, 2, 1}, {33, 2, 1}, text.substr(0, 64), 0});
    RequireEvaluation(program, {{1, 1, 1}, {32, 1, 1}, {}, 0});
  }
  return 0;
}
