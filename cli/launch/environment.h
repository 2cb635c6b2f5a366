// SPDX-License-Identifier: Apache-2.0
//
// The environment of a launched program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cli {

// The options of the variable COALCHECK_OPTIONS and of the command line together. An option of the
// command line replaces all of its name in the variable. Words as SplitLaunchWords gives them.
Result<std::vector<std::string>> CombineOptions(std::string_view variable,
                                                const std::vector<std::string>& command_line);

// The last value of option `name` among `words`, empty when it is not there.
std::string ValueOf(std::span<const std::string> words, std::string_view name);

// COALCHECK_OPTIONS for the program: the agent's options among `words`, but a recording for each
// process in `session` and no report of its own.
std::string AgentLine(const std::vector<std::string>& words, const std::string& session);

// The variables that are set for the program, and what the user should know of the values replaced.
struct Injection {
  struct Variable {
    std::string name;
    std::string value;
  };
  std::vector<Variable> variables;
  std::vector<std::string> notes;
};

// A variable as it is before the launch, and whether it names the very file of our library.
struct BeforeLaunch {
  std::string name;
  std::string value;
  bool is_our_library = false;
};

Injection PlanInjection(const std::string& library, std::span<const BeforeLaunch> before);

// `path` escaped, so that --recording of the agent expands nothing in it.
std::string AsTemplate(std::string_view path);

}  // namespace coalcheck::cli
