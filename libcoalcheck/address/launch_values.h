// SPDX-License-Identifier: Apache-2.0
//
// What a launch gave its kernel: grid, block, arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "libcoalcheck/base/dim3.h"

namespace coalcheck::address {

using Extent = Dim3;

// What cudaMalloc gives, in bytes.
inline constexpr std::uint64_t kPointerAlignment = 256;

enum class Axis : std::uint8_t { kX, kY, kZ };

// Which thread of the source each thread of a launch plays. As it is, each plays itself.
struct ThreadRoles {
  // threadIdx, blockIdx, blockDim and gridDim give this axis for x, and x for this one.
  Axis exchanged = Axis::kX;
  // Only with `of`: along x as many threads as `run` says play such as are so many places apart,
  // the next ones those a place further, until all places between are taken.
  std::uint64_t stride = 1;
  std::uint64_t run = 1;
  struct Shape {
    Extent grid;
    Extent block;
  };
  // The code sees this launch instead: of its threads, each plays the one at its own place in the
  // whole grid (blockIdx * blockDim + threadIdx). Places that it has not are beyond its grid.
  std::optional<Shape> of{};
};

struct LaunchValues {
  Extent grid;   // in blocks
  Extent block;  // in threads
  // The block of parameters as the kernel sees it; without it every argument is unknown.
  std::optional<std::string_view> arguments;
  std::optional<std::uint64_t> dynamic_shared_bytes = std::nullopt;  // empty: not known
  // A byte for each of `arguments`: 0 where it is unknown. Without it all of them are known.
  std::optional<std::string_view> known = std::nullopt;
  // Offsets of arguments that are multiples of kPointerAlignment where they are unknown, ascending.
  std::span<const std::uint32_t> pointers = {};
  ThreadRoles roles = {};
  // Of an example that stands for launches of any size: conditions on the size are left open.
  bool block_is_open = false;
  bool grid_is_open = false;
};

}  // namespace coalcheck::address
