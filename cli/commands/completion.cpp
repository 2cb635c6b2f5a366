// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck completion`: prints what a shell reads to complete coalcheck's words.
#include "cli/manual/completion.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/manual/syntax.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/option_checks.h"

namespace coalcheck::cli {

void AddCompletionCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto shell = std::make_shared<std::string>();
  Command command = coalcheck.AddCommand(
      "completion", "Print a script that completes coalcheck's words in a shell");
  command.Add("shell", shell.get(), "The shell")
      .Required()
      .Takes("bash|zsh|fish")
      .Checked(OneOf({"bash", "zsh", "fish"}));
  command.Footer(
      "An installation has the scripts where the shells look. Where there is none:\n"
      "  source <(coalcheck completion bash)\n"
      "  source <(coalcheck completion zsh)\n"
      "  coalcheck completion fish | source\n\n"
      "Exit codes: 0 it is printed, 2 usage, 5 it cannot be written.");
  command.OnParsed([shell, coalcheck, set_exit_code = std::move(set_exit_code)] {
    const CommandLineSyntax all = DescribeCommandLine(coalcheck);
    std::cout << (*shell == "bash"  ? BashCompletion(all)
                  : *shell == "zsh" ? ZshCompletion(all)
                                    : FishCompletion(all))
              << std::flush;
    set_exit_code(std::cout.good() ? kClean : kInternalError);
  });
}

}  // namespace coalcheck::cli
