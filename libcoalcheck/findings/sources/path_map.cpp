// SPDX-License-Identifier: Apache-2.0
//
// Replaces the start of paths.
#include "libcoalcheck/findings/sources/path_map.h"

#include "libcoalcheck/cubin/line_shown.h"

namespace coalcheck::findings {

void PathMap::Add(std::string_view from, std::string_view to) {
  rules_.push_back({cubin::TidyPath(from), cubin::TidyPath(to)});
}

void PathMap::Name(std::string_view file, std::string_view name) {
  names_.insert_or_assign(cubin::TidyPath(file), std::string(name));
}

std::string PathMap::Apply(std::string_view path) const {
  any_path_ = true;
  if (const auto named = names_.find(path); named != names_.end()) return named->second;
  for (const Rule& rule : rules_) {
    if (!path.starts_with(rule.from)) continue;
    const std::string_view rest = path.substr(rule.from.size());
    if (!rest.empty() && rest.front() != '/') continue;
    rule.is_used = true;
    return rule.to + std::string(rest);
  }
  if (left_alone_.empty()) left_alone_ = path;
  return std::string(path);
}

std::vector<std::string> PathMap::Unused() const {
  std::vector<std::string> unused;
  if (!any_path_) return unused;
  for (const Rule& rule : rules_) {
    if (!rule.is_used) unused.push_back(rule.from);
  }
  return unused;
}

}  // namespace coalcheck::findings
