// SPDX-License-Identifier: Apache-2.0
//
// Finds the source root.
#include "cli/report/source_root.h"

#include <filesystem>
#include <system_error>

#include "cli/base/repository.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string ResolveSourceRoot(const std::string& option, const std::string& working_directory) {
  const fs::path start(working_directory);
  if (!option.empty()) return NormalPath((start / option).string());
  const std::string top = GitTop(working_directory);
  return top.empty() ? NormalPath(working_directory) : top;
}

std::string ResolveSourceRoot(const std::string& option) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  return error ? option : ResolveSourceRoot(option, here.string());
}

}  // namespace coalcheck::cli
