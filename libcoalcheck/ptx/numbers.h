// SPDX-License-Identifier: Apache-2.0
//
// Numbers as PTX writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace coalcheck::ptx {

// The bits of "17", "0x1F", "0b101", "017", "3U", "0f3F800000", "0d3FF0000000000000", "1.5" (as a
// double); empty for what is none of these or too large.
std::optional<std::uint64_t> NumberFromString(std::string_view text);

// 90 of "9.0"; 0 for what is no version.
std::uint32_t VersionFromString(std::string_view text);

}  // namespace coalcheck::ptx
