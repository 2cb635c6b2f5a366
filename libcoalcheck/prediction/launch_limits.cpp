// SPDX-License-Identifier: Apache-2.0
//
// Compares with the limits of all GPUs and with those of the kernel.
#include "libcoalcheck/prediction/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "libcoalcheck/base/launch_limits.h"

namespace coalcheck::prediction {
namespace {

using address::Extent;

Extent ExtentOf(const std::uint32_t (&threads)[3]) {
  return {threads[0], std::max(threads[1], 1U), std::max(threads[2], 1U)};
}

std::string Words(const Extent& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

std::string WhyTooLarge(const char* what, const Extent& extent, const std::uint32_t (&largest)[3]) {
  if (extent.x <= largest[0] && extent.y <= largest[1] && extent.z <= largest[2]) return {};
  return fmt::format("{} {}: no GPU takes more than {}", what, Words(extent),
                     Words({largest[0], largest[1], largest[2]}));
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
  if (function.max_threads[0] == 0) return kMostThreadsOfBlock;
  return std::min<std::uint64_t>(ExtentOf(function.max_threads).count(), kMostThreadsOfBlock);
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
