// SPDX-License-Identifier: Apache-2.0
//
// The forms a report comes in: a row for each, with its name on a command line and who writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/output/form.h"
#include "libcoalcheck/output/html/html_writer.h"
#include "libcoalcheck/output/json/json_writer.h"
#include "libcoalcheck/output/text/text_writer.h"

namespace coalcheck::output {

// SARIF 2.1.0, in the subset that code scanning reads.
void WriteSarif(const FormInput& input, std::ostream& out);
// Findings as GitHub workflow commands, which become annotations.
void WriteGithub(const FormInput& input, std::ostream& out);
// JUnit XML: a suite for the program or each NVTX range, a case for each kernel.
void WriteJunit(const FormInput& input, std::ostream& out);
// GitLab's code quality file, which merge requests compare with their target's.
void WriteGitlab(const FormInput& input, std::ostream& out);
// A Markdown table, for a comment.
void WriteMarkdown(const FormInput& input, std::ostream& out);
// Sectors as a callgrind profile, for KCachegrind and callgrind_annotate.
void WriteCallgrind(const FormInput& input, std::ostream& out);
// Wasted sectors as folded stacks, a line each, for flame graphs.
void WriteFolded(const FormInput& input, std::ostream& out);

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
  kFolded
};

struct Form {
  Format format;
  std::string_view name;  // what --format takes
  WriteForm write;
  bool is_lines = false;  // readers skip lines of other programs before and after it
};

// In the order of --help.
inline constexpr Form kForms[] = {
    {Format::kText, "text", WriteText, true},
    {Format::kJson, "json", WriteJson},
    {Format::kSarif, "sarif", WriteSarif},
    {Format::kGithub, "github", WriteGithub, true},
    {Format::kJunit, "junit", WriteJunit},
    {Format::kGitlab, "gitlab", WriteGitlab},
    {Format::kMarkdown, "markdown", WriteMarkdown},
    {Format::kHtml, "html", WriteHtml},
    {Format::kCallgrind, "callgrind", WriteCallgrind},
    {Format::kFolded, "folded", WriteFolded},
};

const Form& FormOf(Format format);
std::string_view ToString(Format format);
std::optional<Format> FormatFromString(std::string_view name);
std::vector<Format> AllFormats();

// The form as one text.
std::string Written(Format format, const FormInput& input);

// Markdown that holds no more than `most` findings and as many notes, and says how many there are.
std::string MarkdownTable(const FormInput& input, std::optional<std::size_t> most);

}  // namespace coalcheck::output
