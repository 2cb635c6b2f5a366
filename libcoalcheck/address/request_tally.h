// SPDX-License-Identifier: Apache-2.0
//
// What the evaluated warps of a launch ask for, added up access by access.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "libcoalcheck/address/launch_evaluation.h"

namespace coalcheck::address {

// Where a warp lies, and for how much it stands.
struct WarpPlace {
  std::size_t stratum = 0;
  std::uint64_t block = 0;  // number in the grid
  std::uint32_t warp = 0;   // in the block
  double stands_for = 1;    // warps of its block
};

class RequestTally : public RequestSink {
 public:
  // `samples`: requests kept for each access.
  RequestTally(const Program& program, std::size_t strata, std::uint32_t samples)
      : program_(program), strata_(strata), samples_(samples) {}

  // Of the warp whose requests follow.
  void Begin(Unknowns& unknowns, const WarpPlace& place) {
    unknowns_ = &unknowns;
    place_ = place;
  }
  void Take(const Request& request) override;
  void TakeFilled(const Filled& filled) override;
  // Whether all blocks so far asked for as much as the first of their stratum.
  bool EndBlock();
  // `weights`: for how many blocks each of a stratum stands.
  std::vector<EvaluatedAccess> Finish(const std::vector<double>& weights);

 private:
  // What one access asked for in blocks that stand for the same others.
  struct Tally {
    Sums sums;
    double by_data = 0;
    double lane_open = 0;
    double warp_open = 0;
    double variable_base = 0;
    double other_shapes = 0;
    std::map<LaneShape, Sums> shapes;

    void Add(const Tally& other, double times) {
      sums.Add(other.sums, times);
      by_data += other.by_data * times;
      lane_open += other.lane_open * times;
      warp_open += other.warp_open * times;
      variable_base += other.variable_base * times;
      other_shapes += other.other_shapes * times;
      for (const auto& [shape, its] : other.shapes) shapes[shape].Add(its, times);
    }
  };

  // Addresses from the lowest to the highest.
  struct Hull {
    bool is_empty = true;
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    void Include(std::uint64_t address) {
      low = is_empty ? address : std::min(low, address);
      high = is_empty ? address : std::max(high, address);
      is_empty = false;
    }
    friend bool operator==(const Hull&, const Hull&) = default;
  };

  // How much blocks differ in sectors per request: sums over blocks, of products.
  struct Differences {
    double blocks = 0;
    double sectors_sectors = 0;
    double sectors_requests = 0;
    double requests_requests = 0;
    double requests = 0;

    void Add(const Sums& block);
    // The standard error of `sectors_per_request`, as of a ratio of two sums.
    double ErrorOf(double sectors_per_request) const;
  };

  // All of one access, over every block.
  struct Collected {
    std::vector<Tally> by_stratum;
    std::vector<Origin> origins;
    std::vector<RequestSample> samples;
    LaneValues last;  // addresses of the request before
    LaneMask last_active = 0;
    LaneShape last_shape;
    double most = 0;  // sectors of one request
    // Of requests that differ in where they lie alone: the lowest address of the last one, and what
    // one asks for, by where in a line it begins.
    std::uint64_t lowest = 0;
    std::map<std::uint64_t, Sums> by_phase;
    bool turns = false;
    bool step_differs = false;
    std::int64_t turn_step = 0;
    bool has_step = false;
    // What one block asks for in its first turn: the first block's, and the present one's.
    Hull first_block;
    Hull block;
    double factor = 1;  // by which it is told apart from others
    Sums block_sums;
    Differences differences;
    std::uint64_t block_number = ~std::uint64_t{0};
    bool blocks_alike = true;

    // How far the request lies behind the one before, if that is the same for all lanes.
    std::optional<std::uint64_t> ShiftOf(const Request& request) const;
    void EndBlock();
  };

  std::uint32_t WidthOf(const Request& request) const;  // bytes of a lane
  Sums SumsAndShapeOf(const Request& request, std::optional<std::uint64_t> shift, Collected& all);
  void NoteTaking(Taking taking, Tally& tally) const;
  void NoteOrigins(Origins origins, Collected& all) const;
  void NoteOrigins(const Request& request, Collected& all, Tally& tally);
  static void FollowTurns(const Request& request, std::optional<std::uint64_t> shift,
                          Collected& all);
  Collected& Enter(std::uint32_t instruction);
  void Add(const Sums& sums, Collected& all);
  void FollowBlocks(const Request& request, Collected& all) const;
  static EvaluatedAccess FinishOne(std::uint32_t instruction, Collected& all,
                                   const std::vector<double>& weights);

  const Program& program_;
  std::size_t strata_;
  std::uint32_t samples_;
  Unknowns* unknowns_ = nullptr;
  WarpPlace place_;
  absl::flat_hash_map<std::uint32_t, Collected> accesses_;
  // Over all accesses of a block: what is equal where each access has as many.
  struct OfBlock {
    double requests = 0;
    double sectors = 0;  // each access's times a factor of its own
    friend bool operator==(const OfBlock&, const OfBlock&) = default;
  };
  OfBlock block_sums_;                                    // of the present block
  absl::flat_hash_map<std::size_t, OfBlock> of_stratum_;  // of the first block of each
  bool blocks_equal_ = true;
};

}  // namespace coalcheck::address
