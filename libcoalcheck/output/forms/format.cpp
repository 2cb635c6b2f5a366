// SPDX-License-Identifier: Apache-2.0
//
// One table of names, one switch of writers.
#include "libcoalcheck/output/forms/format.h"

#include "libcoalcheck/output/forms/callgrind_writer.h"
#include "libcoalcheck/output/forms/folded_writer.h"
#include "libcoalcheck/output/forms/github_writer.h"
#include "libcoalcheck/output/forms/gitlab_writer.h"
#include "libcoalcheck/output/forms/junit_writer.h"
#include "libcoalcheck/output/forms/markdown_writer.h"
#include "libcoalcheck/output/forms/sarif_writer.h"
#include "libcoalcheck/output/html/html_writer.h"
#include "libcoalcheck/output/json/json_writer.h"

namespace coalcheck::output {
namespace {

struct FormatRow {
  Format format;
  std::string_view name;
};

constexpr FormatRow kFormats[] = {
    {Format::kText, "text"},         {Format::kJson, "json"},   {Format::kSarif, "sarif"},
    {Format::kGithub, "github"},     {Format::kJunit, "junit"}, {Format::kGitlab, "gitlab"},
    {Format::kMarkdown, "markdown"}, {Format::kHtml, "html"},   {Format::kCallgrind, "callgrind"},
    {Format::kFolded, "folded"},
};

}  // namespace

std::string_view ToString(Format format) {
  for (const FormatRow& row : kFormats) {
    if (row.format == format) return row.name;
  }
  return "unknown";
}

std::optional<Format> FormatFromString(std::string_view name) {
  for (const FormatRow& row : kFormats) {
    if (row.name == name) return row.format;
  }
  return std::nullopt;
}

std::vector<Format> AllFormats() {
  std::vector<Format> all;
  for (const FormatRow& row : kFormats) all.push_back(row.format);
  return all;
}

bool MaySharePlace(Format format) { return format == Format::kText || format == Format::kGithub; }

std::unique_ptr<Writer> MakeWriter(Format format, cubin::SourceText& sources,
                                   const TextOptions& text) {
  switch (format) {
    case Format::kText:
      break;
    case Format::kJson:
      return std::make_unique<JsonWriter>();
    case Format::kSarif:
      return std::make_unique<SarifWriter>(sources);
    case Format::kGithub:
      return std::make_unique<GithubWriter>();
    case Format::kJunit:
      return std::make_unique<JunitWriter>();
    case Format::kGitlab:
      return std::make_unique<GitlabWriter>();
    case Format::kMarkdown:
      return std::make_unique<MarkdownWriter>();
    case Format::kHtml:
      return std::make_unique<HtmlWriter>(sources);
    case Format::kCallgrind:
      return std::make_unique<CallgrindWriter>();
    case Format::kFolded:
      return std::make_unique<FoldedWriter>();
  }
  return std::make_unique<TextWriter>(sources, text);
}

}  // namespace coalcheck::output
