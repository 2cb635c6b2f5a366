// SPDX-License-Identifier: Apache-2.0
//
// Looks where an installation and a build put it.
#include "cli/launch/library.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::cli {
namespace {

constexpr const char* kName = "libcoalcheck.so";

}  // namespace

Result<std::string> FindLibrary(const std::string& named) {
  std::error_code error;
  const std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string beside = command.parent_path().string();
  std::vector<std::string> places = {fmt::format("{}/{}", beside, kName),
                                     fmt::format("{}/../lib/{}", beside, kName)};
  if (!named.empty()) places = {named};
  for (const std::string& place : places) {
    const std::string path = recording::RealPath(place);
    if (path.empty() || !std::filesystem::is_regular_file(path, error)) continue;
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  if (!named.empty()) return Error{fmt::format("--library: {} is no file to read", named)};
  return Error{
      fmt::format("{} is neither beside this command ({}) nor in ../lib; name it with "
                  "--library",
                  kName, beside)};
}

}  // namespace coalcheck::cli
