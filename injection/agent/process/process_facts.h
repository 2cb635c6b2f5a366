// SPDX-License-Identifier: Apache-2.0
//
// What the agent needs to know of the process it is in, read once at the start.
#pragma once

#include <string>
#include <string_view>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

// A header with everything that describes the process: program, arguments, folder, host, pid, time.
recording::Header DescribeProcess();

// `value` of the environment, or `fallback` when it is unset or empty.
std::string Environment(const char* name, std::string_view fallback = {});

// Replaces %p by the process id, %r by the rank, %h by the host name, %q{VAR} by an environment
// variable, %% by %.
std::string ExpandTemplate(std::string_view text, const recording::Header& process);

// The folder this library was loaded from, empty when that cannot be told.
std::string LibraryFolder();

}  // namespace coalcheck::agent
