// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/PID/stat of all processes.
#include "cli/launch/processes.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <set>
#include <system_error>

#include "cli/base/foreign_file.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostOfStat = 4096;

std::optional<pid_t> ToPid(std::string_view text) {
  pid_t pid = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (code != std::errc() || end != text.data() + text.size() || pid <= 0) return std::nullopt;
  return pid;
}

std::vector<Process> AllProcesses() {
  std::vector<Process> all;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::optional<pid_t> pid = ToPid(entry->path().filename().string());
    if (!pid) continue;
    if (std::optional<Process> process = ReadProcess(*pid)) all.push_back(*std::move(process));
  }
  return all;
}

}  // namespace

std::optional<Process> ParseStat(std::string_view stat) {
  const std::size_t open = stat.find(" (");
  const std::size_t close = stat.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const std::string_view rest = stat.substr(close + 2);  // "S 4711 …"
  const std::optional<pid_t> pid = ToPid(stat.substr(0, open));
  if (!pid || rest.size() < 3 || rest[1] != ' ') return std::nullopt;
  Process process;
  process.pid = *pid;
  process.state = rest[0];
  process.name = stat.substr(open + 2, close - open - 2);
  // 0 is no process, and the parent of the first ones.
  process.parent = ToPid(rest.substr(2, rest.find(' ', 2) - 2)).value_or(0);
  return process;
}

std::optional<Process> ReadProcess(pid_t pid) {
  return ParseStat(ReadStart(fmt::format("/proc/{}/stat", pid), kMostOfStat));
}

std::vector<Process> Descendants(pid_t ancestor, const std::vector<Process>& all) {
  std::set<pid_t> family = {ancestor};
  std::vector<Process> found;
  for (bool grown = true; grown;) {
    grown = false;
    for (const Process& process : all) {
      if (!family.contains(process.parent) || !family.insert(process.pid).second) continue;
      found.push_back(process);
      grown = true;
    }
  }
  return found;
}

std::vector<Process> LivingDescendants(pid_t ancestor) {
  std::vector<Process> living = Descendants(ancestor, AllProcesses());
  std::erase_if(living, [](const Process& one) { return one.state == 'Z' || one.state == 'X'; });
  return living;
}

}  // namespace coalcheck::cli
