// SPDX-License-Identifier: Apache-2.0
//
// The report as a compiler would print it: a line of the source, what is wrong with it, a summary.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

// Quiet: of each finding its first line, and the last line. Verbose: also instructions and clean
// accesses.
enum class Verbosity { kQuiet, kNormal, kVerbose };

struct TextOptions {
  std::optional<std::size_t> print_limit = std::nullopt;  // findings printed at most; all if empty
  bool color = false;
  Verbosity verbosity = Verbosity::kNormal;
  std::optional<std::size_t> width =
      std::nullopt;  // columns that lines are broken to; empty: not at all
};

class TextWriter : public Writer {
 public:
  TextWriter(cubin::SourceText& sources, TextOptions options)
      : sources_(sources), options_(options) {}

  std::string Write(const findings::Report& report, const verdict::Verdict& verdict) override;

 private:
  cubin::SourceText& sources_;
  TextOptions options_;
};

}  // namespace coalcheck::output
