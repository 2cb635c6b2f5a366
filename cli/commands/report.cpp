// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck report`: recordings in, a report in each wanted form out, the verdict as exit code.
#include "cli/report/report.h"

#include <memory>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/report/report_options.h"
#include "cli/syntax/command_line.h"

namespace coalcheck::cli {

void AddReportCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto options = std::make_shared<ReportOptions>();
  Command command = coalcheck.AddCommand(
      "report", "Say which source lines waste sectors, from one or more recordings");
  command
      .Add("recordings", &options->recordings,
           "Recording folders, or folders of recordings (one for each rank)")
      .Takes("RECORDING");
  AddSelectOptions(command, *options);
  AddReportOptions(command, *options);
  AddCpuLimit(command);
  command.Footer(
      "--format may be given several times: --format text --format json=report.json. A FILE of -o "
      "is\n"
      "for the first format that names none itself, and so on; what has no file goes to standard\n"
      "output.\n\n"
      "Exit codes: 0 every access is clean, 1 findings, 2 usage, 3 nothing was checked,\n"
      "4 the counters could not be collected or used in full, 5 internal error.");
  ReportWhenParsed(command, std::move(options), "which recording? coalcheck report RECORDING…",
                   std::move(set_exit_code));
}

}  // namespace coalcheck::cli
