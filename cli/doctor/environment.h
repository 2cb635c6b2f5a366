// SPDX-License-Identifier: Apache-2.0
//
// Facts from variables, folders and neighbouring processes: other profilers, injection, the
// library.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "libcoalcheck/doctor/facts.h"

namespace coalcheck::cli::doctor {

// The value of an environment variable; empty when it is unset.
using Lookup = std::function<std::string(const std::string&)>;

coalcheck::doctor::Surroundings ReadSurroundings(const Lookup& lookup, const std::string& root);

std::vector<coalcheck::doctor::ClientSign> FindClients(const Lookup& lookup,
                                                       const std::string& root);

std::vector<coalcheck::doctor::InjectionVariable> ReadInjection(const Lookup& lookup);

// libcoalcheck.so as seen from the command at `executable`.
coalcheck::doctor::AgentFacts FindAgent(const std::string& executable);

// COALCHECK_OPTIONS and COALCHECK_CUPTI_PATH, as far as they can be wrong.
coalcheck::doctor::OptionsVariable ReadOptionsVariable(const Lookup& lookup);
coalcheck::doctor::CuptiVariable ReadCuptiVariable(const Lookup& lookup);

coalcheck::doctor::TemporaryFolder ReadTemporaryFolder(const Lookup& lookup);

}  // namespace coalcheck::cli::doctor
