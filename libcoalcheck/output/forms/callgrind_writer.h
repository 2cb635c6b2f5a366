// SPDX-License-Identifier: Apache-2.0
//
// Sectors as a callgrind profile, for KCachegrind and callgrind_annotate.
#pragma once

#include <string>

#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class CallgrindWriter : public Writer {
 public:
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;
};

}  // namespace coalcheck::output
