// SPDX-License-Identifier: Apache-2.0
//
// Has the NVTX calls that come later find this library.
#pragma once

namespace coalcheck::nvtx {

enum class Arming {
  kArmed,       // NVTX_INJECTION64_PATH was unset or empty and names this library now
  kOursBefore,  // it named this library already
  kTheirs,      // it names another tool's, and was left alone: no range will be seen
  kFailed       // this library's path cannot be told, or memory ran out
};

// Whether it names a library, ours or not.
bool VariableIsTaken() noexcept;

// A copy of NVTX that was called before stays deaf. Changes the environment, and so is for the
// start of the process, where the environment is changed by nobody else.
Arming ArmNvtx() noexcept;

}  // namespace coalcheck::nvtx
