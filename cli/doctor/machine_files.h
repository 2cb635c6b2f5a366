// SPDX-License-Identifier: Apache-2.0
//
// Facts about the machine from files under /proc and beside it. Each function takes the folder that
// stands for `/`, which a test makes up.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/doctor/facts.h"

namespace coalcheck::cli::doctor {

coalcheck::doctor::PermissionFacts ReadPermissions(const std::string& root);

// The kernel driver's release, "580.159.04"; empty when it is not loaded.
std::string ReadDriverRelease(const std::string& root);

bool IsInContainer(const std::string& root);
bool IsInWsl(const std::string& root);

// The command names of the processes this one descends from, nearest first, and of its tracer.
std::vector<std::string> ReadAncestors(const std::string& root);
std::string ReadTracer(const std::string& root);

}  // namespace coalcheck::cli::doctor
