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

std::string WithoutTrailingSlash(const fs::path& path) {
  std::string text = path.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace

std::string ResolveSourceRoot(const std::string& option, const std::string& working_directory) {
  const fs::path start(working_directory);
  if (!option.empty()) return WithoutTrailingSlash(start / option);
  const std::string top = GitTop(working_directory);
  return top.empty() ? WithoutTrailingSlash(start) : top;
}

std::string ResolveSourceRoot(const std::string& option) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  return error ? option : ResolveSourceRoot(option, here.string());
}

}  // namespace coalcheck::cli
