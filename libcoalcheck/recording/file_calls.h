// SPDX-License-Identifier: Apache-2.0
//
// System calls on files as a guest must make them: no signal, no leak, no descriptor the host
// expects for itself.
#pragma once

#include <string>
#include <string_view>

namespace coalcheck::recording {

// Errors are errno values, 0 for success.

// Writes all of `bytes`, going on after interruptions and short writes. A file-size limit gives
// EFBIG, not SIGXFSZ, and a pipe without a reader EPIPE, not SIGPIPE. `*written` says how far it
// came.
int WriteAll(int file, std::string_view bytes, std::size_t* written);

// Makes the folder and its missing parents, the folder itself for the owner only.
int MakeFolders(const std::string& folder);

// The descriptor, closed on exec, above the low ones, which a host may count on: the old one is
// closed then. The old one where that cannot be, and -1 for -1.
int MoveHigh(int descriptor);

// open(2) with O_CLOEXEC, moved high. Returns the descriptor or -1 with errno set.
int OpenHigh(const std::string& path, int flags);

// Absolute path of an existing file, links resolved; empty with errno set.
std::string RealPath(const std::string& path);

}  // namespace coalcheck::recording
