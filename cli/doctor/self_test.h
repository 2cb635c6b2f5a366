// SPDX-License-Identifier: Apache-2.0
//
// The self-test: runs the built-in kernels under the agent, in a child process, and reads the
// recording.
#pragma once

#include <chrono>
#include <string>

#include "libcoalcheck/doctor/facts.h"

namespace coalcheck::cli::doctor {

inline constexpr std::chrono::seconds kSelfTestDeadline{60};

// In the child: runs both kernels on that GPU. Empty, or what went wrong.
std::string RunKernels(int gpu);

// In the doctor: has `executable doctor-child kernels GPU` run under `agent`, recording into a
// folder of its own in `temporary_folder`, and reads the recording as `coalcheck report` would.
coalcheck::doctor::SelfTestFacts TestGpu(const std::string& executable, const std::string& agent,
                                         const std::string& temporary_folder, int gpu,
                                         std::chrono::seconds deadline);

}  // namespace coalcheck::cli::doctor
