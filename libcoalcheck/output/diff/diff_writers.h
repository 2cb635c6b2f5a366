// SPDX-License-Identifier: Apache-2.0
//
// A comparison of two runs as text, JSON and Markdown.
#pragma once

#include <string>

#include "libcoalcheck/comparison/difference.h"
#include "libcoalcheck/output/style.h"

namespace coalcheck::output {

// Valid UTF-8, ending in a newline, each of them.
std::string DiffText(const comparison::Comparison& comparison, const Style& style);
// docs/diff.md has its keys.
std::string DiffJson(const comparison::Comparison& comparison);
// A table, for a comment on a pull request.
std::string DiffMarkdown(const comparison::Comparison& comparison);

}  // namespace coalcheck::output
