// SPDX-License-Identifier: Apache-2.0
//
// The cycles were fitted to docs/measurements/waits.md, those for throughput are the ones of
// docs/cost-model.md.
#include "libcoalcheck/moves/waits.h"

#include <algorithm>

#include "libcoalcheck/address/warp_runner.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::Request;

constexpr double kHit = 80;       // cycles until L1 has served a load and its user goes on
constexpr double kMiss = 680;     // until the memory has
constexpr double kMissMore = 20;  // for each further request on its way
constexpr double kLineMore = 2;   // for each line of a request but the first
constexpr double kSectorsPerL1Cycle = 4;
constexpr double kMemoryPerLoadedSector = 2.2;
constexpr double kL2PerStoredSector = 1.8;
constexpr double kL2PerLineStoredInPart = 1.66;
// What L1 keeps for global memory at least where little memory is shared.
constexpr double kL1Lines = 192.0 * 1024 / 128;
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
    : subject_(subject),
      copies_(copies),
      filter_(filter),
      parts_arrays_(parts_arrays),
      lines_kept_(static_cast<std::size_t>(kL1Lines / std::max(warps, 1.0))) {
  for (const auto& [instruction, copy] : copies) ++alike_[{copy.leader, copy.loop}];
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

WaitCounter::Place WaitCounter::PlaceOf(const Request& request) const {
  const Copy& copy = copies_.at(request.instruction);
  const std::uint32_t copies = alike_.at({copy.leader, copy.loop});
  const std::uint32_t rounds =
      copy.loop != ptx::kNone && copies >= kUnrolled ? std::max(kUnrolledFurther / copies, 1U) : 1;
  return {subject_.program.flow().BlockOf(request.instruction), request.turn / rounds};
}

void WaitCounter::Count(const Request& request) {
  next().Take(request);
  const ptx::Function& function = subject_.program.function();
  const ptx::Instruction& one = function.instructions[request.instruction];
  if (!request.addresses.is_known || !copies_.contains(request.instruction)) return;
  const std::uint32_t width = std::max(ptx::WidthOf(function, one), 1U);
  std::map<std::uint64_t, std::uint32_t> lines;  // sectors, bit by bit
  address::EachLane(request.active, [&](std::uint32_t lane) {
    const std::uint64_t first = request.addresses.bits[lane] / kSectorSize.count();
    const std::uint64_t last = (request.addresses.bits[lane] + width - 1) / kSectorSize.count();
    for (std::uint64_t sector = first; sector <= last; ++sector) {
      lines[sector / 4] |= 1U << (sector % 4);
    }
  });
  double sectors = 0;
  for (const auto& [line, bits] : lines) sectors += __builtin_popcount(bits);
  const Copy& copy = copies_.at(request.instruction);
  const Place place = PlaceOf(request);
  const bool splits = parts_arrays_ && copy.loop != ptx::kNone;
  std::uint32_t& stores = stores_[{place, splits ? copy.array.pointer : ArrayPointer{}}];
  if (one.code.op != ptx::Op::kLd) {
    if (splits) ++stores;
    const double ideal =
        static_cast<double>(__builtin_popcount(request.active)) * width / kSectorSize.count();
    waits_.behind += kL2PerStoredSector * sectors;
    if (sectors > ideal) {
      waits_.behind += kL2PerLineStoredInPart * static_cast<double>(lines.size());
    }
    return;
  }
  Batch& batch = batches_[{place, stores}];
  const double missed = MissedBy(lines);
  if (missed > 0) ++batch.missing;
  const auto looked_up = static_cast<double>(lines.size());
  batch.lookups += kLineMore * (looked_up - 1);
  waits_.l1 += std::max(looked_up, sectors / kSectorsPerL1Cycle);
  waits_.behind += kMemoryPerLoadedSector * missed;
}

// Sectors that L1 does not have; it has them then.
double WaitCounter::MissedBy(const std::map<std::uint64_t, std::uint32_t>& lines) {
  double missed = 0;
  for (const auto& [number, sectors] : lines) {
    Line& line = lines_[number];
    missed += __builtin_popcount(sectors & ~line.sectors);
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
