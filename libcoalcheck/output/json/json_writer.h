// SPDX-License-Identifier: Apache-2.0
//
// The report for programs. docs/report.schema.json is its schema, docs/report-schema.md its words.
#pragma once

#include <cstdint>
#include <string>

#include "libcoalcheck/output/form.h"

namespace coalcheck::output {

inline constexpr std::uint32_t kReportMajorVersion = 1;
inline constexpr std::uint32_t kReportMinorVersion = 16;

void WriteJson(const FormInput& input, std::ostream& out);

// The same as one text, for which no source is asked.
std::string JsonReport(const findings::Report& report, const verdict::Verdict& verdict);

}  // namespace coalcheck::output
