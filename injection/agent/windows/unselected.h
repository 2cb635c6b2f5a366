// SPDX-License-Identifier: Apache-2.0
//
// What a window counted although the filters leave it out: the other kernels of a graph, and
// launches made while a window was open for longer than its kernel.
#pragma once

#include <vector>

#include "injection/agent/windows/closed_window.h"

namespace coalcheck::agent {

// Takes launches that are left out, and their counts, out of what a window has counted. Counts are
// told apart by kernel only: a kernel that was also launched in a selected range stays as it is.
// Returns the entries that were taken out.
std::vector<ShapeEntry*> LeaveOutUnselected(ClosedWindow& closed);

}  // namespace coalcheck::agent
