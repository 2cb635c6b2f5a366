// SPDX-License-Identifier: Apache-2.0
//
// Wasted sectors as folded stacks, a line each, for flame graphs.
#pragma once

#include <string>

#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class FoldedWriter : public Writer {
 public:
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;
};

}  // namespace coalcheck::output
