// SPDX-License-Identifier: Apache-2.0
//
// What the process's NVTX calls come to, from whichever copy of NVTX they come.
#pragma once

#include <string_view>

#include "injection/agent/ranges/range_book.h"
#include "injection/nvtx/handles.h"

namespace coalcheck::nvtx {

inline constexpr std::string_view kForeignDomain = "(unknown domain)";
inline constexpr Handle kDefaultDomain{0};

// From here on, calls reach `book`. Later calls change nothing. Everything below wants this first.
void Listen(agent::RangeBook& book);

// For any handle, ours or not. None of them throws: they fail as NVTX's functions do.
agent::RangeLevel Push(Handle domain, std::string_view name) noexcept;
agent::RangeLevel Pop(Handle domain) noexcept;
agent::RangeKey Start(Handle domain, std::string_view name) noexcept;
void End(agent::RangeKey range) noexcept;

// 0 when memory ran out.
Handle DomainNamed(std::string_view name) noexcept;
Handle Registered(std::string_view text) noexcept;
// Empty for a handle that is not ours.
std::string_view TextOf(Handle registered) noexcept;

}  // namespace coalcheck::nvtx
