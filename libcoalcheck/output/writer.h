// SPDX-License-Identifier: Apache-2.0
//
// One report, many forms.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::output {

class Writer {
 public:
  virtual ~Writer() = default;
  // The whole report in this form, valid UTF-8, ending in a newline.
  virtual std::string Write(const findings::Report& report, const verdict::Verdict& verdict) = 0;
};

}  // namespace coalcheck::output
