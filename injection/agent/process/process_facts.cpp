// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/self, the host name and the clock.
#include "injection/agent/process/process_facts.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <limits.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

#include "libcoalcheck/options/placeholders.h"

namespace coalcheck::agent {
namespace {

std::string ReadLink(const char* path) {
  char buffer[PATH_MAX];
  const ssize_t size = readlink(path, buffer, sizeof buffer);
  return size < 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(size));
}

std::vector<std::string> Arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\0', at), all.size());
    arguments.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return arguments;
}

std::string HostName() {
  char name[HOST_NAME_MAX + 1] = {};
  return gethostname(name, HOST_NAME_MAX) == 0 ? name : "";
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace

recording::Header DescribeProcess() {
  recording::Header header;
  header.tool_version = COALCHECK_VERSION;
  header.program = ReadLink("/proc/self/exe");
  header.arguments = Arguments();
  header.working_directory = ReadLink("/proc/self/cwd");
  header.host = HostName();
  header.pid = static_cast<std::uint64_t>(getpid());
  header.started = UtcNow();
  header.job = recording::JobMembershipIn([](const char* name) { return Environment(name); });
  return header;
}

std::string Environment(const char* name, std::string_view fallback) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::string(fallback) : std::string(value);
}

std::string ExpandTemplate(std::string_view text, const recording::Header& process) {
  const auto variable = [](const std::string& name) { return Environment(name.c_str()); };
  return options::ExpandPlaceholders(text, {process.pid, process.host, process.job.rank, variable});
}

std::string LibraryFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&DescribeProcess), &info) == 0 || !info.dli_fname) {
    return {};
  }
  char resolved[PATH_MAX];
  if (realpath(info.dli_fname, resolved) == nullptr) return {};
  const std::string path = resolved;
  return path.substr(0, path.rfind('/'));
}

}  // namespace coalcheck::agent
