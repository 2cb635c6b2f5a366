// SPDX-License-Identifier: Apache-2.0
//
// The report as a Markdown table, for a step summary or a comment.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

class MarkdownWriter : public Writer {
 public:
  // With `most_rows` the table holds no more findings, and says how many there are.
  explicit MarkdownWriter(std::optional<std::size_t> most_rows = std::nullopt)
      : most_rows_(most_rows) {}
  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;

 private:
  std::optional<std::size_t> most_rows_;
};

}  // namespace coalcheck::output
