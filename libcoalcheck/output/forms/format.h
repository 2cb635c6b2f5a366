// SPDX-License-Identifier: Apache-2.0
//
// The forms of a report: their names on a command line, and the writer of each.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/output/text/text_writer.h"
#include "libcoalcheck/output/writer.h"

namespace coalcheck::output {

enum class Format {
  kText,
  kJson,
  kSarif,
  kGithub,
  kJunit,
  kGitlab,
  kMarkdown,
  kHtml,
  kCallgrind,
  kFolded,
};

// "text", "json", "sarif" …: what --format takes.
std::string_view ToString(Format format);
std::optional<Format> FormatFromString(std::string_view name);
std::vector<Format> AllFormats();

// Whether the form may share a stream with other lines before and after it.
bool MaySharePlace(Format format);

// Never null. `sources` has to outlive the writer.
std::unique_ptr<Writer> MakeWriter(Format format, cubin::SourceText& sources,
                                   const TextOptions& text);

}  // namespace coalcheck::output
