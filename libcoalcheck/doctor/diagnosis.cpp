// SPDX-License-Identifier: Apache-2.0
//
// All checks in the order in which one depends on another, and what they come to.
#include "libcoalcheck/doctor/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

#include "libcoalcheck/doctor/checks.h"

namespace coalcheck::doctor {
namespace {

const Check* FirstProblem(const std::vector<Check>& checks) {
  const auto found = std::ranges::find(checks, State::kProblem, &Check::state);
  return found == checks.end() ? nullptr : &*found;
}

std::vector<Engine> JudgeEngines(const Facts& facts) {
  std::vector<Engine> engines;
  for (const Gpu& gpu : facts.driver.gpus) {
    const auto test = std::ranges::find(facts.self_tests, gpu.ordinal, &SelfTestFacts::gpu);
    if (test != facts.self_tests.end()) {
      engines.push_back(JudgeSelfTest(*test, facts));
    } else {
      const char* why = !facts.self_test_wanted ? "the self-test was not asked for"
                        : IsSupported(gpu)      ? "the self-test could not run: see above"
                                                : "this GPU is older than sm_75";
      engines.push_back(
          {"sass_metrics_windows", gpu.ordinal, gpu.name, EngineState::kNotRun, why, {}});
    }
  }
  return engines;
}

void Conclude(const Facts& facts, Diagnosis& diagnosis) {
  const auto working = std::ranges::count(diagnosis.engines, EngineState::kWorks, &Engine::state);
  const Check* problem = FirstProblem(diagnosis.checks);
  if (working > 0) {
    diagnosis.works = true;
    diagnosis.summary =
        fmt::format("counting works on {} of {} GPU(s)", working, diagnosis.engines.size());
  } else if (!facts.self_tests.empty()) {
    diagnosis.summary = "counting does not work: the self-test failed";
  } else if (problem != nullptr) {
    diagnosis.summary =
        fmt::format("counting cannot work: {}: {}", problem->title, problem->message);
  } else if (!facts.self_test_wanted) {
    diagnosis.works = true;
    diagnosis.summary = "nothing was found that prevents counting; the self-test was not run";
  } else {
    diagnosis.summary = "counting was not seen to work: the self-test did not run";
  }
}

}  // namespace

std::string_view ToString(State state) {
  switch (state) {
    case State::kOk:
      return "ok";
    case State::kWarning:
      return "warning";
    case State::kProblem:
      return "problem";
    case State::kUnknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view ToString(EngineState state) {
  switch (state) {
    case EngineState::kWorks:
      return "works";
    case EngineState::kFails:
      return "fails";
    case EngineState::kNotRun:
      return "not run";
  }
  return "not run";
}

Diagnosis Diagnose(const Facts& facts) {
  Diagnosis diagnosis;
  diagnosis.surroundings = facts.surroundings;
  diagnosis.checks = {CheckDriver(facts),
                      CheckGpus(facts),
                      CheckMig(facts),
                      CheckVirtualGpu(facts),
                      CheckConfidentialComputing(facts),
                      CheckWsl(facts),
                      CheckCupti(facts),
                      CheckNvperf(facts),
                      CheckAgent(facts),
                      CheckPermission(facts),
                      CheckOtherClients(facts),
                      CheckInjection(facts),
                      CheckOwnVariables(facts),
                      CheckTemporaryFolder(facts)};
  diagnosis.engines = JudgeEngines(facts);
  Conclude(facts, diagnosis);
  return diagnosis;
}

}  // namespace coalcheck::doctor
