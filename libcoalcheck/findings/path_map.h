// SPDX-License-Identifier: Apache-2.0
//
// Paths as compiled, to paths as they are here.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coalcheck::findings {

class PathMap {
 public:
  // Replaces `from` at the start of a path, where it ends at a folder's end. The first rule that
  // fits is used.
  void Add(std::string from, std::string to);
  std::string Apply(std::string_view path) const;

 private:
  std::vector<std::pair<std::string, std::string>> rules_;
};

}  // namespace coalcheck::findings
