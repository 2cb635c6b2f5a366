// SPDX-License-Identifier: Apache-2.0
//
// Findings as GitHub workflow commands, which become annotations.
#pragma once

#include <string>

#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class GithubWriter : public Writer {
 public:
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;
};

}  // namespace coalcheck::output
