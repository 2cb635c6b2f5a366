// SPDX-License-Identifier: Apache-2.0
//
// Takes every number that the program compares with to be a block's, a warp's or a thread's.
#include "libcoalcheck/prediction/far_examples.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <set>

#include "libcoalcheck/address/shape_steps.h"
#include "libcoalcheck/address/warp_runner.h"

namespace coalcheck::prediction {
namespace {

using address::Extent;
using address::LaunchValues;
using address::Program;

constexpr std::size_t kMostNumbers = 8;
constexpr std::uint64_t kMostBlock = 0x7ffffffe;

std::set<std::uint64_t> NumbersIn(const Program& program) {
  absl::flat_hash_map<address::Slot, std::uint64_t> constants;
  for (const Program::Constant& one : program.constants()) constants.emplace(one.slot, one.bits);
  std::set<std::uint64_t> numbers;
  for (std::uint32_t block = 0; block < program.flow().blocks().size(); ++block) {
    for (const address::Step& step : program.StepsOf(block)) {
      const bool shifts = step.code.op == ptx::Op::kShr;
      if (!address::TellsNumbersApart(step.code.op)) continue;
      for (std::uint32_t i = 0; i < step.sources; ++i) {
        const auto found = constants.find(step.source[i]);
        if (found == constants.end() || found->second > kMostBlock) continue;
        if (shifts && found->second > 30) continue;
        numbers.insert(shifts ? std::uint64_t{1} << found->second : found->second);
        if (numbers.size() > kMostNumbers) numbers.erase(std::prev(numbers.end()));
      }
    }
  }
  return numbers;
}

bool Reads(const Program& program, ptx::Special special) {
  return std::ranges::any_of(
      program.specials(), [&](const Program::SpecialSlot& one) { return one.special == special; });
}

void AddAround(std::uint64_t number, std::set<std::uint64_t>& to) {
  to.insert({number == 0 ? 0 : number - 1, number, number + 1});
}

}  // namespace

std::vector<FarWarp> FarWarps(const Program& program, const LaunchValues& launch,
                              std::uint32_t blocks, bool is_in_grid) {
  std::set<std::uint64_t> along;
  std::set<std::uint64_t> within;
  for (const std::uint64_t number : NumbersIn(program)) {
    AddAround(number, along);
    AddAround(number / std::max(launch.block.x, 1U), along);
    AddAround(number, within);
    AddAround(number / kWarpSize, within);
  }
  std::vector<FarWarp> far;
  const std::uint32_t warps = address::WarpsOf(launch);
  for (const std::uint64_t warp : within) {
    const bool is_run = warp < 2 || warp + 1 >= warps;
    if (!is_run) far.push_back({{0, 0, 0}, static_cast<std::uint32_t>(warp)});
  }
  const auto add = [&](ptx::Special special, std::uint32_t Extent::*axis, std::uint32_t seen) {
    if (!Reads(program, special)) return;
    for (const std::uint64_t at : along) {
      if (at < seen || at > kMostBlock || (is_in_grid && at >= launch.grid.*axis)) continue;
      FarWarp one{{0, 0, 0}, 0};
      one.block.*axis = static_cast<std::uint32_t>(at);
      far.push_back(one);
    }
  };
  add(ptx::Special::kCtaidX, &Extent::x, blocks);
  add(ptx::Special::kCtaidY, &Extent::y, 2);
  add(ptx::Special::kCtaidZ, &Extent::z, 2);
  return far;
}

}  // namespace coalcheck::prediction
