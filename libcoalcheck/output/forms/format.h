// SPDX-License-Identifier: Apache-2.0
//
// The forms a report comes in: their names on a command line, and who writes each.
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

// Whether lines of something else before and after it do no harm, as on a stream that others write
// to.
bool MaySharePlace(Format format);

// Never null. `sources` has to outlive the writer.
std::unique_ptr<Writer> MakeWriter(Format format, cubin::SourceText& sources,
                                   const TextOptions& text);

}  // namespace coalcheck::output
