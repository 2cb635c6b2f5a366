// SPDX-License-Identifier: Apache-2.0
//
// The formulas of closed_forms.h.
#include "tests/unit/sectors/closed_forms.h"

#include <bit>

namespace coalcheck::sectors {
namespace {

constexpr std::uint64_t kSector = kSectorSize.count();
constexpr std::uint64_t kLine = kCacheLineSize.count();

constexpr std::uint64_t DivideUp(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

RequestCounts Make(std::uint64_t lanes, std::uint64_t sectors, std::uint64_t bytes,
                   std::uint64_t lines) {
  return {Lanes(lanes), Sectors(sectors), IdealSectors(Bytes(bytes), Sectors(sectors)),
          CacheLines(lines)};
}

// How many groups of `size` neighbouring bits of `mask` have any bit set.
std::uint64_t GroupsWithAny(std::uint32_t mask, std::uint64_t size) {
  const std::uint32_t group =
      size >= kWarpSize ? ~0U : (1U << static_cast<std::uint32_t>(size)) - 1;
  std::uint64_t groups = 0;
  for (std::uint64_t bit = 0; bit < kWarpSize; bit += size) {
    if ((mask >> bit & group) != 0) ++groups;
  }
  return groups;
}

}  // namespace

RequestCounts UnitStride(std::uint64_t base, std::uint32_t width, std::uint32_t lanes) {
  const std::uint64_t bytes = std::uint64_t{lanes} * width;
  return Make(lanes, DivideUp(base % kSector + bytes, kSector), bytes,
              DivideUp(base % kLine + bytes, kLine));
}

RequestCounts Broadcast(std::uint32_t width, std::uint32_t lanes) {
  return Make(lanes, 1, std::uint64_t{lanes} * width, 1);
}

RequestCounts ConstantStride(std::uint64_t base, std::uint64_t stride, std::uint32_t width,
                             std::uint32_t lanes) {
  const std::uint64_t last_byte = base + (lanes - 1) * stride + width - 1;
  const auto blocks = [&](std::uint64_t size) {
    return stride <= size ? last_byte / size - base / size + 1 : lanes;
  };
  return Make(lanes, blocks(kSector), std::uint64_t{lanes} * width, blocks(kLine));
}

RequestCounts SeparateRuns(std::uint32_t run_lanes, std::uint32_t width) {
  const std::uint64_t runs = kWarpSize / run_lanes;
  const std::uint64_t run_bytes = std::uint64_t{run_lanes} * width;
  return Make(kWarpSize, runs * DivideUp(run_bytes, kSector), runs * run_bytes,
              runs * DivideUp(run_bytes, kLine));
}

RequestCounts MaskedUnitStride(std::uint32_t active, std::uint32_t width) {
  const std::uint64_t lanes = static_cast<std::uint64_t>(std::popcount(active));
  return Make(lanes, GroupsWithAny(active, kSector / width), lanes * width,
              GroupsWithAny(active, kLine / width));
}

}  // namespace coalcheck::sectors
