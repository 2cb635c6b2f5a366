// SPDX-License-Identifier: Apache-2.0
//
// Which line of an inline chain a user can edit: the innermost frame under the source root.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/source_text.h"

namespace coalcheck::cubin {

// What counts as the user's own source.
struct SourceScope {
  std::string root;                       // absolute, without a trailing slash
  std::vector<std::string> further = {};  // other folders of own sources, absolute
  // The user's own sources in any folder: paths, or names of files.
  std::set<std::string, std::less<>> files = {};
};

// `file` without doubled slashes and `.` parts, which name the same file on every disk (`..` may
// not, behind a link).
std::string TidyPath(std::string_view file);

// `frames` without those whose line is past the end of a file that can be read: ptxas sometimes
// pairs a line with the wrong file.
std::vector<SourceFrame> DropImpossibleFrames(std::span<const SourceFrame> frames,
                                              SourceText& sources);

// True for files of the CUDA toolkit and of installed packages (/usr, site-packages, …), which are
// never the user's even when they lie under the root.
bool IsInstalledFile(std::string_view file);
// Also one of the scope's own files.
bool IsUnderRoot(std::string_view file, const SourceScope& scope);

// The frame to show: the innermost one under the root; else the innermost one outside installed
// packages; else the innermost one; null when `frames` is empty.
const SourceFrame* LineShown(std::span<const SourceFrame> frames, const SourceScope& scope);

}  // namespace coalcheck::cubin
