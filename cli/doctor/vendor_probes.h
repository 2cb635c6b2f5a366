// SPDX-License-Identifier: Apache-2.0
//
// Questions to NVIDIA's libraries. They may hang or crash: each runs in a child of its own, which
// answers with one JSON object.
#pragma once

#include <chrono>
#include <string>

#include "libcoalcheck/doctor/facts.h"

namespace coalcheck::cli::doctor {

inline constexpr std::chrono::seconds kProbeDeadline{30};

// In a child: loads the library, asks, returns the answer as JSON.
std::string AskDriver();
std::string AskManagement();
std::string AskCupti(const std::string& cupti_path);

// In the doctor: has the child `executable doctor-child WORD` ask, and reads its answer, believing
// nothing of its form. A child that hung or crashed is an error in the facts.
void ProbeDriver(const std::string& executable, coalcheck::doctor::DriverFacts& facts);
void ProbeManagement(const std::string& executable, coalcheck::doctor::ManagementFacts& facts);
void ProbeCupti(const std::string& executable, coalcheck::doctor::CuptiFacts& facts);

}  // namespace coalcheck::cli::doctor
