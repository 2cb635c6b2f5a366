// SPDX-License-Identifier: Apache-2.0
//
// Behind all bounds of the analysis: where one of them fails, the command ends with a sentence and
// an exit code, not by a signal and not never.
#pragma once

#include <cstdint>
#include <string>

namespace coalcheck::cli {

// A file that somebody truncates while it is read ends the command. For main().
void EndOnCutFiles();

// For commands that read files of others. The process may use `seconds` more of CPU time, of all
// its threads; 0: any. From now on an access to memory that is not there, as where the stack ends,
// and memory that is not to be had end it likewise, with `exit_code` in all cases, and with the
// line `left_behind` on stderr. Its children have no limit.
void LimitCpuTime(std::uint32_t seconds, int exit_code, std::string left_behind = "");

}  // namespace coalcheck::cli
