// SPDX-License-Identifier: Apache-2.0
//
// The git repository that a path lies in, and links by which it leaves it: whoever wrote the
// repository made them.
#pragma once

#include <string>

namespace coalcheck::cli {

// Without dots and without a slash at its end; links are not looked at.
std::string NormalPath(const std::string& path);

// The git top level at or above `folder`; empty when there is none. It is recognised by its `.git`,
// a folder or, in a worktree or submodule, a file, of the user's, of root's or of the owner of the
// folder it lies in; git itself need not be installed.
std::string GitTop(const std::string& folder);

// Where a path leads.
struct Way {
  std::string real;  // absolute and without links; whoever opens it has to follow none
  // Lies in a git repository and leads out of it, or into a hidden folder of it such as `.git`, to
  // `real`: it ends the way.
  std::string link;
};
// The way along `path`, its last part included, in one pass: who changes it meanwhile puts a link
// where `real` has none.
Way WayOf(const std::string& path);

// `path` in words of a message: "through the link src it leads out of its repository, to /proc";
// empty where there is no such link.
std::string WhyOutOfRepository(const std::string& path);

}  // namespace coalcheck::cli
