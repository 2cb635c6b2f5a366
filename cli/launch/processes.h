// SPDX-License-Identifier: Apache-2.0
//
// The descendants of a process, read from /proc when asked.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::cli {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = '?';  // as in /proc: 'T' stopped, 'Z' ended and not reaped
  std::string name;  // short, as the kernel keeps it
};

// The content of /proc/PID/stat; empty when it is none. The name may hold blanks and parentheses.
std::optional<Process> ParseStat(std::string_view stat);

// Empty when there is no such process.
std::optional<Process> ReadProcess(pid_t pid);

// All descendants of `ancestor` in `all`, without itself.
std::vector<Process> Descendants(pid_t ancestor, const std::vector<Process>& all);

// The descendants that live now, without those that wait to be reaped.
std::vector<Process> LivingDescendants(pid_t ancestor);

}  // namespace coalcheck::cli
