// SPDX-License-Identifier: Apache-2.0
//
// Behind all bounds of the analysis: where one of them fails, the command ends with a sentence and
// an exit code, not by a signal and not never.
#pragma once

#include <cstdint>

namespace coalcheck::cli {

// Installs the ends by signal: a file that somebody truncates while it is read, an access to memory
// that is not there, as where the stack ends, and the limit below. Once, by main().
void EndWithExitCodes();

// The process may use `seconds` more of CPU time, of all its threads; 0: any. Its children have no
// limit. `exit_code`: of all ends above from now on; kInternalError until then.
void LimitCpuTime(std::uint32_t seconds, int exit_code);

}  // namespace coalcheck::cli
