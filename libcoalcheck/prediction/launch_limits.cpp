// SPDX-License-Identifier: Apache-2.0
//
// Compares with the limits of CUDA's compute capabilities, which have been the same since 3.0.
#include "libcoalcheck/prediction/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace coalcheck::prediction {
namespace {

using address::Extent;

constexpr std::uint64_t kMostThreads = 1024;
constexpr Extent kLargestBlock = {1024, 1024, 64};
constexpr Extent kLargestGrid = {2147483647, 65535, 65535};

Extent ExtentOf(const std::uint32_t (&threads)[3]) {
  return {threads[0], std::max(threads[1], 1U), std::max(threads[2], 1U)};
}

std::string Words(const Extent& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

std::string WhyTooLarge(const char* what, const Extent& extent, const Extent& largest) {
  if (extent.x <= largest.x && extent.y <= largest.y && extent.z <= largest.z) return {};
  return fmt::format("{} {}: no GPU takes more than {}", what, Words(extent), Words(largest));
}

std::string WhyNoBlock(const ptx::Function& function, const Extent& block) {
  if (std::string why = WhyTooLarge("block", block, kLargestBlock); !why.empty()) return why;
  const std::optional<Extent> required = RequiredBlock(function);
  if (required && !(*required == block)) {
    return fmt::format("block {}: the kernel demands {}", Words(block), Words(*required));
  }
  const std::uint64_t most = MostThreads(function);
  if (block.count() <= most) return {};
  return fmt::format("block {}: {} threads, and the kernel takes at most {}", Words(block),
                     block.count(), most);
}

}  // namespace

std::uint64_t MostThreads(const ptx::Function& function) {
  if (function.max_threads[0] == 0) return kMostThreads;
  return std::min(ExtentOf(function.max_threads).count(), kMostThreads);
}

std::optional<Extent> RequiredBlock(const ptx::Function& function) {
  if (function.required_threads[0] == 0) return std::nullopt;
  return ExtentOf(function.required_threads);
}

std::string WhyNoLaunch(const ptx::Function& function, const std::optional<Extent>& grid,
                        const std::optional<Extent>& block) {
  std::string why = grid ? WhyTooLarge("grid", *grid, kLargestGrid) : std::string();
  return why.empty() && block ? WhyNoBlock(function, *block) : why;
}

}  // namespace coalcheck::prediction
