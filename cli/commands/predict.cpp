// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck predict`: the report of a run that nobody made, from compiled code.

#include <memory>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/report/report.h"
#include "cli/report/report_options.h"
#include "cli/syntax/command_line.h"

namespace coalcheck::cli {

void AddPredictCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto options = std::make_shared<ReportOptions>();
  options->predict = true;
  Command command = coalcheck.AddCommand(
      "predict", "Say which source lines will waste sectors, from compiled code; no GPU needed");
  command
      .Add("files", &options->recordings, "Programs, objects, libraries, fat binaries, cubins, PTX")
      .Required()
      .Takes("FILE");
  command
      .Add("--launches", &options->launches,
           "A recording to take launches and arguments from; repeatable")
      .Takes("RECORDING")
      .OneValueEachTime();
  command
      .Add("--launch", &options->launch_words,
           "A launch: 'KERNEL: grid=128x512 block=32x8 arg4=4096'; repeatable")
      .Takes("WORDS")
      .OneValueEachTime();
  command
      .Add("--block", &options->block,
           "The block, in threads, of kernels whose block is not known otherwise")
      .Takes("XxYxZ");
  command
      .Add("--arch", &options->arch,
           "Of files with code for several architectures, predict this one only [all]")
      .Takes("sm_NN")
      .Checked(RefuseAllButArchitecture);
  command
      .Add("--max-unknown", &options->max_unknown,
           "exit with 3 where a larger share of the accesses is unknown [100]")
      .Takes("PERCENT")
      .OfPercent();
  AddReportOptions(command, *options);
  AddCpuLimit(command);
  command.Footer(
      "An access is wasteful or clean for every launch that is possible or that was given, or "
      "else\n"
      "unknown, and the report says what decides. Nothing is run, and nothing is counted.\n\n"
      "Exit codes: 0 no access is wasteful, 1 one is, 2 usage or no such content, 3 nothing could\n"
      "be judged, or more is unknown than --max-unknown allows, 4 a recording of launches is\n"
      "damaged or has no end (--require-end), 5 internal error.");
  ReportWhenParsed(command, std::move(options), "", std::move(set_exit_code));
}

}  // namespace coalcheck::cli
