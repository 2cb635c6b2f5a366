// SPDX-License-Identifier: Apache-2.0
//
// Replaces the start of paths.
#include "libcoalcheck/findings/path_map.h"

#include "libcoalcheck/cubin/line_shown.h"

namespace coalcheck::findings {

void PathMap::Add(std::string_view from, std::string_view to) {
  rules_.emplace_back(cubin::TidyPath(from), cubin::TidyPath(to));
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
