// SPDX-License-Identifier: Apache-2.0
//
// Where every thread of this process is, for a test that hangs.
#pragma once

namespace coalcheck::testing {

// Writes the stacks of all threads to stderr, one after the other; a thread that does not answer is
// named. Function names are those the dynamic linker knows; addresses serve addr2line.
void PrintAllStacks();

}  // namespace coalcheck::testing
