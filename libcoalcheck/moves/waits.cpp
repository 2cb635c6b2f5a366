// SPDX-License-Identifier: Apache-2.0
//
// The cycles were fitted to docs/measurements/waits.md, those for throughput are the ones of
// docs/cost-model.md.
#include "libcoalcheck/moves/waits.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "libcoalcheck/address/warp_runner.h"
#include "libcoalcheck/base/memory_prices.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::Request;

constexpr double kHit = 80;       // cycles until L1 has served a load and its user goes on
constexpr double kMiss = 680;     // until the memory has
constexpr double kMissMore = 20;  // for each further request on its way
constexpr double kLineMore = 2;   // for each line of a request but the first
constexpr double kMemoryPerLoadedSector = 2.2;
// What L1 keeps for global memory at least where little memory is shared.
constexpr double kL1Lines = 192.0 * 1024 / 128;
constexpr std::uint64_t kSectorsOfLine = 4;
constexpr double kMostWarps = 64;
constexpr double kMostBlocks = 32;
// The assembler unrolls a loop that holds so many copies already until it holds so many.
constexpr std::uint32_t kUnrolled = 4;
constexpr std::uint32_t kUnrolledFurther = 16;

}  // namespace

double Waits::Of(double warps) const { return std::max({chain, warps * l1, warps * behind}); }

double WarpsAtATime(const Subject& subject) {
  if (subject.multiprocessors == 0) return 0;
  const double of_block = address::WarpsOf(subject.launch);
  const double all = of_block * static_cast<double>(subject.launch.grid.count());
  return std::min({all / subject.multiprocessors, kMostWarps, kMostBlocks * of_block});
}

WaitCounter::WaitCounter(const Subject& subject, const std::map<std::uint32_t, Copy>& copies,
                         double warps, address::RequestFilter* filter, bool parts_arrays)
    : filter_(filter), lines_kept_(static_cast<std::size_t>(kL1Lines / std::max(warps, 1.0))) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> alike;  // by leader and loop
  for (const auto& [instruction, copy] : copies) ++alike[{copy.leader, copy.loop}];
  const ptx::Function& function = subject.program.function();
  for (const auto& [instruction, copy] : copies) {
    const ptx::Instruction& one = function.instructions[instruction];
    const bool is_of_loop = copy.loop != ptx::kNone;
    const std::uint32_t number = alike.at({copy.leader, copy.loop});
    const std::uint32_t rounds =
        is_of_loop && number >= kUnrolled ? std::max(kUnrolledFurther / number, 1U) : 1;
    accesses_[instruction] = {.width = std::max(ptx::WidthOf(function, one), 1U),
                              .is_load = one.code.op == ptx::Op::kLd,
                              .may_meet_stores = parts_arrays && is_of_loop,
                              .array = copy.array.pointer,
                              .block = subject.program.flow().BlockOf(instruction),
                              .rounds = rounds};
  }
}

void WaitCounter::Begin(address::RequestSink& sink, address::Unknowns& unknowns) {
  RequestFilter::Begin(sink, unknowns);
  if (filter_ != nullptr) filter_->Begin(behind_, unknowns);
  batches_.clear();
  stores_.clear();
  lines_.clear();
  uses_.clear();
}

void WaitCounter::Take(const Request& request) {
  if (filter_ != nullptr) return filter_->Take(request);
  Count(request);
}

void WaitCounter::End() {
  if (filter_ != nullptr) filter_->End();
  for (const auto& [place, batch] : batches_) {
    waits_.chain += (batch.missing > 0 ? kMiss + kMissMore * batch.missing : kHit) + batch.lookups;
  }
}

void WaitCounter::Count(const Request& request) {
  next().Take(request);
  const auto found = accesses_.find(request.instruction);
  if (!request.addresses.is_known || found == accesses_.end()) return;
  const Access& access = found->second;
  Touch(request, access.width);
  double sectors = 0;
  for (const auto& [line, bits] : touched_) sectors += std::popcount(bits);
  const Place place{access.block, request.turn / access.rounds};
  const ArrayPointer array = access.may_meet_stores ? access.array : ArrayPointer{};
  std::uint32_t& stores = stores_[{place, array.parameter, array.byte}];
  if (access.is_load) return CountLoad(sectors, batches_[{place, stores}]);
  if (access.may_meet_stores) ++stores;
  CountStore(sectors, static_cast<double>(std::popcount(request.active)) * access.width /
                          kSectorSize.count());
}

void WaitCounter::Touch(const Request& request, std::uint32_t width) {
  touched_.clear();
  address::EachLane(request.active, [&](std::uint32_t lane) {
    const std::uint64_t first = request.addresses.bits[lane] / kSectorSize.count();
    const std::uint64_t last = (request.addresses.bits[lane] + width - 1) / kSectorSize.count();
    for (std::uint64_t sector = first; sector <= last; ++sector) {
      const std::uint32_t bit = 1U << (sector % kSectorsOfLine);
      const std::uint64_t line = sector / kSectorsOfLine;
      if (!touched_.empty() && touched_.back().first == line) {
        touched_.back().second |= bit;
      } else {
        touched_.emplace_back(line, bit);
      }
    }
  });
  const auto not_behind = std::ranges::greater_equal();
  if (std::ranges::adjacent_find(touched_, not_behind, &Touched::first) == touched_.end()) return;
  std::ranges::sort(touched_);
  std::size_t kept = 0;
  for (const Touched& one : touched_) {
    if (kept > 0 && touched_[kept - 1].first == one.first) {
      touched_[kept - 1].second |= one.second;
    } else {
      touched_[kept++] = one;
    }
  }
  touched_.resize(kept);
}

void WaitCounter::CountStore(double sectors, double ideal) {
  waits_.behind += kL2PerStoredSector * sectors;
  if (sectors <= ideal) return;
  waits_.behind += kL2PerLineStoredInPart * static_cast<double>(touched_.size());
}

void WaitCounter::CountLoad(double sectors, Batch& batch) {
  const double missed = Missed();
  if (missed > 0) ++batch.missing;
  const auto looked_up = static_cast<double>(touched_.size());
  batch.lookups += kLineMore * (looked_up - 1);
  waits_.l1 += std::max(looked_up, sectors / kSectorsPerL1Cycle);
  waits_.behind += kMemoryPerLoadedSector * missed;
}

// Sectors of what is touched that L1 does not have; it has them then.
double WaitCounter::Missed() {
  double missed = 0;
  for (const auto& [number, sectors] : touched_) {
    Line& line = lines_[number];
    missed += std::popcount(sectors & ~line.sectors);
    line.sectors |= sectors;
    line.last = ++now_;
    uses_.emplace_back(number, now_);
  }
  MakeRoom();
  return missed;
}

void WaitCounter::MakeRoom() {
  while (lines_.size() > lines_kept_ && !uses_.empty()) {
    const auto [number, when] = uses_.front();
    uses_.pop_front();
    const auto found = lines_.find(number);
    if (found != lines_.end() && found->second.last == when) lines_.erase(found);
  }
}

}  // namespace coalcheck::moves
