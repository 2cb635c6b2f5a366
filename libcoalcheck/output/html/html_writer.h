// SPDX-License-Identifier: Apache-2.0
//
// The report as one HTML page that works without network and can be read without scripts.
#pragma once

#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class HtmlWriter : public Writer {
 public:
  explicit HtmlWriter(cubin::SourceText& sources) : sources_(sources) {}
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;

 private:
  cubin::SourceText& sources_;
};

}  // namespace coalcheck::output
