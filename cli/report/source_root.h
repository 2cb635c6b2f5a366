// SPDX-License-Identifier: Apache-2.0
//
// Where the user's own source begins: the answer to "which line of the inline chain to show".
#pragma once

#include <string>

namespace coalcheck::cli {

// The source root, absolute and without a trailing slash: `option` when it is not empty (relative
// ones are taken from `working_directory`), else the git top level at or above
// `working_directory`, else `working_directory` itself.
std::string ResolveSourceRoot(const std::string& option, const std::string& working_directory);

// The same for the process's own working directory; empty when that no longer exists.
std::string ResolveSourceRoot(const std::string& option);

}  // namespace coalcheck::cli
