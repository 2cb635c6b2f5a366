// SPDX-License-Identifier: Apache-2.0
//
// Paths as compiled, to paths as they are here. For one thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::findings {

class PathMap {
 public:
  // Replaces `from` at the start of a path, where it ends at a folder's end. The first rule that
  // fits is used. Both are taken tidied, as the paths are to be.
  void Add(std::string_view from, std::string_view to);
  // This file alone is called so, whatever the rules say.
  void Name(std::string_view file, std::string_view name);
  std::string Apply(std::string_view path) const;

  // Of the calls of Apply so far: the rules' `from` that no path began with, none while there was
  // no path; and some path that no rule fitted, empty when there was none.
  std::vector<std::string> Unused() const;
  const std::string& left_alone() const { return left_alone_; }

 private:
  struct Rule {
    std::string from, to;
    mutable bool is_used = false;
  };
  std::vector<Rule> rules_;
  std::map<std::string, std::string, std::less<>> names_;
  mutable std::string left_alone_;
  mutable bool any_path_ = false;
};

}  // namespace coalcheck::findings
