// SPDX-License-Identifier: Apache-2.0
//
// The git repository that a path lies in, and links by which it leaves it: whoever wrote the
// repository made them.
#pragma once

#include <string>

namespace coalcheck::cli {

// The git top level at or above `folder`; empty when there is none. It is recognised by its `.git`,
// a folder or, in a worktree or submodule, a file; git itself need not be installed.
std::string GitTop(const std::string& folder);

// The first link on the way along `path` that lies in a git repository and leads out of it; empty
// where there is none. Its last part, too.
std::string LinkOutOfRepository(const std::string& path);

// `path` in words of a message: "through the link src it leads out of its repository, to /proc";
// empty where there is no such link.
std::string WhyOutOfRepository(const std::string& path);

}  // namespace coalcheck::cli
