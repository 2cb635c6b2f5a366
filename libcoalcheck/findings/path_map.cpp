// SPDX-License-Identifier: Apache-2.0
//
// Replaces the start of paths.
#include "libcoalcheck/findings/path_map.h"

namespace coalcheck::findings {
namespace {

std::string WithoutTrailingSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

void PathMap::Add(std::string from, std::string to) {
  rules_.emplace_back(WithoutTrailingSlash(std::move(from)), WithoutTrailingSlash(std::move(to)));
}

std::string PathMap::Apply(std::string_view path) const {
  for (const auto& [from, to] : rules_) {
    if (!path.starts_with(from)) continue;
    const std::string_view rest = path.substr(from.size());
    if (rest.empty() || rest.front() == '/') return to + std::string(rest);
  }
  return std::string(path);
}

}  // namespace coalcheck::findings
