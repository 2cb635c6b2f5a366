// SPDX-License-Identifier: Apache-2.0
//
// What a form of the report is made from.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/verdict/verdict.h"

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

struct FormInput {
  const findings::Report& report;
  const verdict::Verdict& verdict;
  cubin::SourceText& sources;
  TextOptions text = {};
};

// Writes the whole report, valid UTF-8, ending in a newline.
using WriteForm = void (*)(const FormInput& input, std::ostream& out);

}  // namespace coalcheck::output
