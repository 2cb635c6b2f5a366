// SPDX-License-Identifier: Apache-2.0
//
// The page around its parts.
#include "libcoalcheck/output/html/html_writer.h"

#include <fmt/format.h>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/html/parts.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {
namespace {

using findings::Report;

// The page loads nothing, whatever a foreign name contains.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'";

std::string Programs(const Report& report) {
  std::string names;
  for (const findings::RecordingInfo& recording : report.recordings) {
    const std::string& program = recording.header.program;
    if (program.empty()) continue;
    if (!names.empty()) return names + " and others";
    names = Cut(program.substr(program.rfind('/') + 1), 200);
  }
  return names;
}

std::string Head(const Report& report) {
  const std::string programs = EscapeHtml(Programs(report));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>coalcheck{}{}</title>\n<style>\n{}</style>\n"
      "</head>\n",
      kPolicy, programs.empty() ? "" : ": ", programs, ReportStyle());
}

std::string Top(const Report& report, const verdict::Verdict& verdict) {
  const std::string programs = EscapeHtml(Programs(report));
  return fmt::format(
      "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n"
      "<header><div class=\"top\"><h1>coalcheck{}{}</h1>\n"
      "<button type=\"button\" id=\"theme\" hidden>Theme</button></div>\n"
      "<p class=\"summary {}\">{}</p></header>\n",
      programs.empty() ? "" : ": ", programs,
      verdict.outcome == verdict::Outcome::kClean ? "good" : "bad",
      EscapeHtml(SummaryLine(report, verdict)));
}

}  // namespace

void WriteHtml(const FormInput& input, std::ostream& out) {
  const Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  std::string page = Head(report);
  page += report.cost ? "<body>\n" : "<body class=\"no-cost\">\n";
  page += Top(report, verdict);
  page += "<main>\n";
  page += html::FindingsPart(report, input.sources);
  page += html::SourcesPart(report, input.sources);
  page += html::RangesPart(report);
  page += html::KernelsPart(report);
  page += html::NotesPart(report);
  page += fmt::format("</main>\n<script>\n{}</script>\n</body>\n</html>\n", ReportScript());
  out << page;
}

}  // namespace coalcheck::output
