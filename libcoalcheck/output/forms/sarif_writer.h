// SPDX-License-Identifier: Apache-2.0
//
// The report as SARIF 2.1.0, in the subset that code scanning reads.
#pragma once

#include <cstddef>
#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

// Code scanning keeps this many results of a run; the others are left out here, and that is said.
inline constexpr std::size_t kMostSarifResults = 5000;
// And shows this many of a result's locations.
inline constexpr std::size_t kMostSarifLocations = 1000;

class SarifWriter : public Writer {
 public:
  explicit SarifWriter(cubin::SourceText& sources) : sources_(sources) {}
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;

 private:
  cubin::SourceText& sources_;
};

}  // namespace coalcheck::output
