// SPDX-License-Identifier: Apache-2.0
//
// One report, many forms.
#pragma once

#include <ostream>
#include <string>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::output {

class Writer {
 public:
  virtual ~Writer() = default;
  // The whole report in this form, valid UTF-8, ending in a newline.
  virtual std::string Write(const findings::Report& report, const verdict::Verdict& verdict) = 0;
  // The same onto a stream, for forms that are too large to be held as one text.
  virtual void WriteTo(const findings::Report& report, const verdict::Verdict& verdict,
                       std::ostream& out) {
    out << Write(report, verdict);
  }
};

}  // namespace coalcheck::output
