// SPDX-License-Identifier: Apache-2.0
//
// The report for programs. docs/report.schema.json is its schema, docs/report-schema.md its words.
#pragma once

#include <cstdint>
#include <string>

#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

inline constexpr std::uint32_t kReportMajorVersion = 1;
inline constexpr std::uint32_t kReportMinorVersion = 12;

class JsonWriter : public Writer {
 public:
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;
  void WriteTo(const findings::Report& report, const verdict::Verdict& verdict,
               std::ostream& out) override;
};

}  // namespace coalcheck::output
