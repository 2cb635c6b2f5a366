// SPDX-License-Identifier: Apache-2.0
//
// Prints a report of a kind in a form, for checks by other programs:
// print_sample_report [FORMAT [full|fields|hostile|some|many|suppressed|nothing]].
#include <iostream>
#include <string_view>

#include "libcoalcheck/output/forms/forms.h"
#include "tests/unit/output/extreme_reports.h"
#include "tests/unit/output/sample_report.h"

namespace {

using namespace coalcheck;

findings::Report Make(std::string_view kind, findings::FakeSources& sources) {
  if (kind == "fields") return output::MakeFieldsReport(sources);
  if (kind == "hostile") return output::MakeHostileReport(sources);
  if (kind == "many") return output::MakeManyFindings(10'000, sources);
  if (kind == "some") return output::MakeManyFindings(1'000, sources);
  if (kind == "suppressed") return output::MakeSuppressedReport(sources);
  if (kind == "nothing") return output::MakeEmptyReport(sources);
  return output::MakeFullReport(/*grouped=*/true);
}

}  // namespace

int main(int argc, char** argv) {
  const auto format = output::FormatFromString(argc > 1 ? argv[1] : "json");
  if (!format) return 2;
  findings::FakeSources sources;
  const findings::Report report = Make(argc > 2 ? argv[2] : "full", sources);
  std::cout << output::Written(*format, {report, verdict::Judge(report), sources});
}
