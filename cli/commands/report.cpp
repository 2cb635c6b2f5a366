// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck report`: recordings in, a report in each wanted form out, the verdict as exit code.
#include "cli/report/report.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <utility>

#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/report/outputs.h"
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
  command.Footer(
      "--format may be given several times: --format text --format json=report.json. A FILE of -o "
      "is\n"
      "for the first format that names none itself, and so on; what has no file goes to standard\n"
      "output.\n\n"
      "Exit codes: 0 every access is clean, 1 findings, 2 usage, 3 nothing was checked,\n"
      "4 the counters could not be collected or used in full, 5 internal error.");
  command.OnParsed([options, set_exit_code = std::move(set_exit_code)] {
    LookAtStream(STDOUT_FILENO, *options);
    std::string problem = WhyNoOutput(*options);
    if (options->recordings.empty()) problem = "which recording? coalcheck report RECORDING…";
    if (!problem.empty()) Say(problem);
    set_exit_code(problem.empty() ? Report(*options, std::cout, std::cerr)
                                  : static_cast<int>(kUsage));
  });
}

}  // namespace coalcheck::cli
