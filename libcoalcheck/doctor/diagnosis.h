// SPDX-License-Identifier: Apache-2.0
//
// Facts about a machine in, a list of judged checks out. No probe, no environment, no file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/doctor/facts.h"

namespace coalcheck::doctor {

// kWarning: it works, or may, but not as it should. kProblem: nothing can be counted with this.
enum class State { kOk, kWarning, kProblem, kUnknown };
std::string_view ToString(State state);

struct Check {
  std::string id;     // for programs, stable: "cupti"
  std::string title;  // for people: "libcupti"
  State state = State::kOk;
  std::string message;                // one sentence without a full stop
  std::vector<std::string> remedies;  // one a line; empty when there is nothing to do
};

enum class EngineState { kWorks, kFails, kNotRun };
std::string_view ToString(EngineState state);

// One way of measuring on one GPU, as the self-test saw it.
struct Engine {
  std::string engine;  // "sass_metrics_windows"
  int gpu = 0;
  std::string gpu_name;
  EngineState state = EngineState::kNotRun;
  std::string message;
  std::vector<std::string> remedies;
};

struct Diagnosis {
  Surroundings surroundings;
  std::vector<Check> checks;
  std::vector<Engine> engines;
  bool works = false;   // something can be counted here
  std::string summary;  // one sentence without a full stop
};

// The self-test has the last word: where it passed on one GPU, the machine works; where it was not
// run, a machine without a problem works.
Diagnosis Diagnose(const Facts& facts);

}  // namespace coalcheck::doctor
