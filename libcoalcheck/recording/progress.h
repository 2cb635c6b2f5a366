// SPDX-License-Identifier: Apache-2.0
//
// How far a running program has come: a small file beside its records that the agent writes anew
// every quarter of a second and that anybody may look at meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coalcheck::recording {

inline constexpr std::string_view kProgressFile = "progress";
inline constexpr std::string_view kProgressMagic = "CCPROG01";
inline constexpr std::size_t kProgressBytes = 64;

// After the magic, four little-endian 64-bit numbers in this order; the rest of the file is zero.
struct Progress {
  std::uint64_t launches = 0;               // seen
  std::uint64_t windows = 0;                // closed
  std::uint64_t kernels_without_lines = 0;  // whose code has no line information
  std::uint64_t window_milliseconds = 0;    // that the window now open has been open; 0: none

  friend bool operator==(const Progress&, const Progress&) = default;
};

std::string ProgressBytes(const Progress& progress);

// The content of a progress file; empty if it cannot be read.
std::optional<Progress> ReadProgress(std::string_view bytes);

}  // namespace coalcheck::recording
