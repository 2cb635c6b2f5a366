// SPDX-License-Identifier: Apache-2.0
//
// The report on a sample's recording.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/check.h"
#include "tests/support/samples.h"

namespace coalcheck::support {

inline const std::filesystem::path kSource = COALCHECK_SOURCE_DIR;
inline const std::filesystem::path kRecordings = kSource / "tests" / "recordings";

bool IsRecorded(const Sample& sample);

// What the report says of the recording of `sample`; a failure of the test is an empty list.
std::vector<ObservedAccess> ReportOn(const std::string& sample);

}  // namespace coalcheck::support
