// SPDX-License-Identifier: Apache-2.0
//
// A diagnosis in words for people, and as JSON for programs.
#pragma once

#include <string>

#include "libcoalcheck/doctor/diagnosis.h"

namespace coalcheck::doctor {

// A checklist with the remedies under what needs them; the last line is the summary.
std::string ToText(const Diagnosis& diagnosis, bool color);

// As docs/doctor.schema.json says; `exit_code` is what the command returns.
std::string ToJson(const Diagnosis& diagnosis, int exit_code);

}  // namespace coalcheck::doctor
