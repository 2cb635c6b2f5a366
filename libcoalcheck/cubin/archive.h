// SPDX-License-Identifier: Apache-2.0
//
// Static libraries, as `ar` makes them: which files they hold.
#pragma once

#include <functional>
#include <string_view>

namespace coalcheck::cubin {

// By its first bytes. A thin one, which only names files, is none.
bool IsArchive(std::string_view bytes);

// Calls `visit` with the content of every member, which lies in `bytes`; not with tables of symbols
// and of names. False where the archive is cut off or damaged: those before were visited.
bool VisitMembers(std::string_view bytes, const std::function<void(std::string_view)>& visit);

}  // namespace coalcheck::cubin
