// SPDX-License-Identifier: Apache-2.0
//
// Where one instruction of the PTX became several machine instructions, the first stands for all.
#include "libcoalcheck/prediction/given_launch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "libcoalcheck/prediction/predicted_sums.h"

namespace coalcheck::prediction {
namespace {

recording::Dim3 Dim3Of(const address::Extent& extent) { return {extent.x, extent.y, extent.z}; }

}  // namespace

bool IsOpenByArguments(const LaunchPrediction& prediction,
                       std::span<const std::uint32_t> pointers) {
  return std::ranges::any_of(prediction.accesses, [&](const auto& access) {
    return std::ranges::any_of(access.second.origins, [&](const address::Origin& origin) {
      return origin.kind == address::Origin::Kind::kParameter &&
             std::ranges::find(pointers, origin.place) == pointers.end();
    });
  });
}

void MakeUpPointers(std::span<const std::uint32_t> pointers, std::size_t bytes,
                    GivenLaunch& launch) {
  constexpr std::uint64_t kApart = std::uint64_t{1} << 40U;
  launch.arguments.resize(std::max(bytes, launch.arguments.size()), '\0');
  launch.known.resize(launch.arguments.size(), '\0');
  std::uint64_t place = 0;
  for (const std::uint32_t offset : pointers) {
    if (offset + sizeof(place) > bytes || launch.known[offset] != '\0') continue;
    place += kApart;
    std::memcpy(launch.arguments.data() + offset, &place, sizeof(place));
    std::fill_n(launch.known.begin() + offset, sizeof(place), '\1');
  }
}

findings::CountedLaunch AsCounted(const GivenLaunch& launch, const cubin::Function& function,
                                  const address::AccessFormulas& formulas) {
  findings::CountedLaunch counted;
  counted.kernel = function.name;
  counted.grid = Dim3Of(launch.grid);
  counted.block = Dim3Of(launch.block);
  counted.launches = Launches(static_cast<std::uint64_t>(std::max(1.0, launch.launches)));
  counted.arguments.launches = counted.launches;
  counted.arguments.shared_memory = Bytes(launch.dynamic_shared_bytes);
  counted.arguments.size = Bytes(launch.arguments.size());
  counted.arguments.bytes = launch.arguments;
  counted.known = launch.known;
  std::set<const char*> taken;
  for (const cubin::GlobalAccess& access : function.accesses) {
    const std::uint32_t instruction = formulas.InstructionAt(access.pc);
    if (instruction == ptx::kNone) continue;
    const char* key = formulas.function().instructions[instruction].text.data();
    const auto found = launch.accesses.find(key);
    if (found == launch.accesses.end() || !taken.insert(key).second) continue;
    address::Sums all;
    all.Add(found->second, static_cast<double>(counted.launches.count()));
    counted.counts[access.pc] = findings::RawCounts::From(CountsOf(all), access.kind);
  }
  return counted;
}

}  // namespace coalcheck::prediction
