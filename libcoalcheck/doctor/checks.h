// SPDX-License-Identifier: Apache-2.0
//
// The single judgements that Diagnose() puts together, one for each thing that can be wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/doctor/diagnosis.h"

namespace coalcheck::doctor {

// From sm_75 on, CUPTI 13 patches kernels.
bool IsSupported(const Gpu& gpu);

// How permission to use the counters is given where the command runs, one remedy a line.
std::vector<std::string> PermissionRemedies(const Surroundings& surroundings);

// The driver and its GPUs.
Check CheckDriver(const Facts& facts);
Check CheckGpus(const Facts& facts);
Check CheckMig(const Facts& facts);
Check CheckVirtualGpu(const Facts& facts);
Check CheckConfidentialComputing(const Facts& facts);
Check CheckWsl(const Facts& facts);

// What is installed and set around the program.
Check CheckCupti(const Facts& facts);
Check CheckNvperf(const Facts& facts);
Check CheckAgent(const Facts& facts);
Check CheckPermission(const Facts& facts);
Check CheckOtherClients(const Facts& facts);
Check CheckInjection(const Facts& facts);
Check CheckOwnVariables(const Facts& facts);
Check CheckTemporaryFolder(const Facts& facts);

// What the built-in kernels say of one GPU.
Engine JudgeSelfTest(const SelfTestFacts& test, const Facts& facts);

}  // namespace coalcheck::doctor
