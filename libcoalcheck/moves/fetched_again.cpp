// SPDX-License-Identifier: Apache-2.0
//
// Runs the warps of one block and keeps the sectors that each line asks for.
#include "libcoalcheck/moves/fetched_again.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/address/warp.h"
#include "libcoalcheck/address/warp_runner.h"
#include "libcoalcheck/moves/move.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

constexpr std::uint32_t kRounds = 32;  // of each loop
constexpr std::uint64_t kMostSteps = 200'000;
constexpr std::size_t kMostSectors = 1U << 18U;  // that are kept

class BlockSectors : public address::RequestSink {
 public:
  BlockSectors(const ptx::Function& function, const std::map<std::uint32_t, std::uint32_t>& lines)
      : function_(function), lines_(lines) {}

  void Take(const address::Request& request) override {
    is_known_ = is_known_ && request.addresses.is_known &&
                request.taking == address::Taking::kCertain && kept_ < kMostSectors;
    if (!is_known_ || request.turn >= kRounds) return;  // a loop is left behind its last round
    const std::uint32_t width =
        ptx::WidthOf(function_, function_.instructions[request.instruction]);
    absl::flat_hash_set<std::uint64_t> sectors;
    address::EachLane(request.active, [&](std::uint32_t lane) {
      const std::uint64_t first = request.addresses.bits[lane];
      const std::uint64_t last = first + std::max(width, 1U) - 1;
      for (std::uint64_t one = first / kSector; one <= last / kSector; ++one) sectors.insert(one);
    });
    all_ += static_cast<double>(sectors.size());
    const auto line = lines_.find(request.instruction);
    if (line == lines_.end()) return;
    Line& mine = by_line_[line->second];
    mine.asked += static_cast<double>(sectors.size());
    mine.turns[request.instruction] = std::max(mine.turns[request.instruction], request.turn + 1);
    for (const std::uint64_t sector : sectors) kept_ += mine.sectors.insert(sector).second ? 1 : 0;
  }

  bool is_known() const { return is_known_; }

  std::vector<FetchedAgain> Finish() const {
    std::vector<FetchedAgain> found;
    double again = 0;
    for (const auto& [number, line] : by_line_) {
      const auto distinct = static_cast<double>(line.sectors.size());
      if (line.asked < kOften * distinct) continue;
      again += line.asked - distinct;
      const Bytes tile(line.sectors.size() * kSector);
      std::uint32_t loads = 0;
      for (const auto& [instruction, turns] : line.turns) loads += turns;
      found.push_back({line.turns.begin()->first, line.asked / distinct,
                       tile <= kMostShared ? tile : Bytes(0), loads});
    }
    if (again < kShareThatMatters * all_) return {};
    return found;
  }

 private:
  static constexpr std::uint64_t kSector = kSectorSize.count();
  struct Line {
    double asked = 0;  // sectors, over all requests
    absl::flat_hash_set<std::uint64_t> sectors;
    std::map<std::uint32_t, std::uint32_t> turns;  // of each instruction
  };

  const ptx::Function& function_;
  const std::map<std::uint32_t, std::uint32_t>& lines_;
  std::map<std::uint32_t, Line> by_line_;
  double all_ = 0;
  std::size_t kept_ = 0;
  bool is_known_ = true;
};

}  // namespace

std::vector<FetchedAgain> FindFetchedAgain(const address::Program& program,
                                           const address::LaunchValues& launch,
                                           const std::map<std::uint32_t, std::uint32_t>& lines,
                                           std::uint64_t& steps) {
  if (lines.empty() || !launch.arguments) return {};
  const address::Extent middle{launch.grid.x / 2, launch.grid.y / 2, launch.grid.z / 2};
  std::uint64_t left = std::min(steps, kMostSteps);
  const std::uint64_t before = left;
  BlockSectors sectors(program.function(), lines);
  bool is_done = true;
  for (std::uint32_t warp = 0; warp < address::WarpsOf(launch) && is_done; ++warp) {
    address::Unknowns unknowns;
    address::Warp runner(program, launch, unknowns, left);
    runner.LimitRounds({kRounds, kRounds}, true);
    is_done = runner.Run(middle, warp, sectors) == address::WarpEnd::kDone && sectors.is_known();
  }
  steps -= before - left;
  return is_done ? sectors.Finish() : std::vector<FetchedAgain>();
}

}  // namespace coalcheck::moves
