// SPDX-License-Identifier: Apache-2.0
//
// The report as JUnit XML: a suite for the program or each NVTX range, a case for each kernel.
#pragma once

#include <string>

#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class JunitWriter : public Writer {
 public:
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;
};

}  // namespace coalcheck::output
