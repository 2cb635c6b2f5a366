// SPDX-License-Identifier: Apache-2.0
//
// The report as GitLab's code quality file, which merge requests compare with their target's.
#pragma once

#include <string>

#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class GitlabWriter : public Writer {
 public:
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;
};

}  // namespace coalcheck::output
