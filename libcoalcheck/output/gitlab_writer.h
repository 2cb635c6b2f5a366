// SPDX-License-Identifier: Apache-2.0
//
// The report as GitLab's code quality file, which merge requests compare with their target's.
#pragma once

#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class GitlabWriter : public Writer {
 public:
  explicit GitlabWriter(cubin::SourceText& sources) : sources_(sources) {}
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;

 private:
  cubin::SourceText& sources_;
};

}  // namespace coalcheck::output
