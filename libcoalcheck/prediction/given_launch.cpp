// SPDX-License-Identifier: Apache-2.0
//
// Where one instruction of the PTX became several machine instructions, the first stands for all.
#include "libcoalcheck/prediction/given_launch.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::prediction {
namespace {

using address::Origin;

// Offsets of arguments that the kernel reads as floating-point numbers.
std::set<std::uint32_t> FloatsOf(const ptx::Function& function) {
  std::set<std::uint32_t> floats;
  for (const ptx::Instruction& one : function.instructions) {
    const bool reads = one.code.op == ptx::Op::kLd && one.code.space == ptx::Space::kParam;
    if (!reads || !one.code.type.IsFloat() || one.operand_count < 2) continue;
    const ptx::Operand& from = function.OperandsOf(one)[1];
    if (from.kind != ptx::Operand::Kind::kSymbol) continue;
    const std::uint32_t number = function.symbols[from.id].parameter;
    if (number == ptx::kNone) continue;
    const std::uint32_t first =
        function.parameters[number].offset + static_cast<std::uint32_t>(from.value);
    for (std::uint32_t i = 0; i < one.code.vector; ++i) {
      floats.insert(first + i * one.code.type.bytes);
    }
  }
  return floats;
}

}  // namespace

bool IsOpenByArguments(const LaunchPrediction& prediction, const ptx::Function& function,
                       std::span<const std::uint32_t> pointers) {
  const std::set<std::uint32_t> floats = FloatsOf(function);
  const auto decides = [&](const Origin& origin) {
    return origin.kind == Origin::Kind::kParameter && !floats.contains(origin.place) &&
           !std::ranges::binary_search(pointers, origin.place);
  };
  return std::ranges::any_of(prediction.accesses, [&](const auto& access) {
    const std::vector<Origin>& origins = access.second.origins;
    return std::ranges::none_of(origins, &Origin::IsData) && std::ranges::any_of(origins, decides);
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
  counted.grid = launch.grid;
  counted.block = launch.block;
  counted.launches = Launches(static_cast<std::uint64_t>(std::max(1.0, launch.launches)));
  counted.arguments.launches = counted.launches;
  if (launch.dynamic_shared_bytes) {
    counted.arguments.shared_memory = Bytes(*launch.dynamic_shared_bytes);
  }
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
    counted.counts[access.pc] = findings::RawCounts::From(address::CountsOf(all), access.kind);
  }
  return counted;
}

}  // namespace coalcheck::prediction
