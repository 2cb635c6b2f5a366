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
  // fits is used. Both are taken tidied, as the paths are to be.
  void Add(std::string_view from, std::string_view to);
  std::string Apply(std::string_view path) const;

 private:
  std::vector<std::pair<std::string, std::string>> rules_;
};

}  // namespace coalcheck::findings
