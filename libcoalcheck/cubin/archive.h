// SPDX-License-Identifier: Apache-2.0
//
// Static libraries, as `ar` makes them: which files they hold.
#pragma once

#include <functional>
#include <string_view>

namespace coalcheck::cubin {

// By its first bytes. A thin one, which only names files, is none.
bool IsArchive(std::string_view bytes);

// A file in an archive; both lie in it.
struct Member {
  std::string_view name;
  std::string_view content;
};

// Calls `visit` with every member; not with tables of symbols and of names. False where the archive
// is cut off or damaged: those before were visited.
bool VisitMembers(std::string_view bytes, const std::function<void(const Member&)>& visit);

}  // namespace coalcheck::cubin
