// SPDX-License-Identifier: Apache-2.0
//
// Whether a kernel would wait longer for its loads: fewer sectors of each request are no gain where
// L1 keeps a sector for the requests that follow, and each request waits for memory afterwards.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/moves/copies.h"
#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// What the loads and stores of the warps that were evaluated take, in cycles of a multiprocessor.
struct Waits {
  double chain = 0;   // of one warp after the other: loads of a round that wait for each other
  double l1 = 0;      // to look lines up
  double behind = 0;  // for what L2 and the memory deliver or take

  // Of so many warps at a time.
  double Of(double warps) const;
};

// Counts the requests that pass through, as L1 serves them for one of `warps` on a multiprocessor.
class WaitCounter : public address::RequestFilter {
 public:
  // `filter`: what changes requests before they are counted; may be null. `parts_arrays`: elements
  // of one array are then no longer a constant distance apart, and a load that stands behind a
  // store to it has to wait until the store is known not to meet it.
  WaitCounter(const Subject& subject, const std::map<std::uint32_t, Copy>& copies, double warps,
              address::RequestFilter* filter, bool parts_arrays);

  void Begin(address::RequestSink& sink, address::Unknowns& unknowns) override;
  void Take(const address::Request& request) override;
  void End() override;

  const Waits& waits() const { return waits_; }

 private:
  // Counts behind the filter.
  class Behind : public address::RequestSink {
   public:
    explicit Behind(WaitCounter& counter) : counter_(counter) {}
    void Take(const address::Request& request) override { counter_.Count(request); }

   private:
    WaitCounter& counter_;
  };
  // What is the same for all requests of an instruction.
  struct Access {
    std::uint32_t width = 0;  // bytes of a lane
    bool is_load = false;
    bool may_meet_stores = false;  // of a loop that may store where it loads next
    ArrayPointer array;
    std::uint32_t block = 0;   // basic block
    std::uint32_t rounds = 1;  // that the assembler makes one of
  };
  // Loads that are on their way together.
  struct Batch {
    double lookups = 0;
    std::uint32_t missing = 0;  // requests that L1 does not serve
  };
  struct Line {
    std::uint32_t sectors = 0;  // that L1 has, bit by bit
    std::uint64_t last = 0;     // use
  };
  using Place = std::pair<std::uint32_t, std::uint32_t>;    // basic block and round
  using Touched = std::pair<std::uint64_t, std::uint32_t>;  // a line, and its sectors bit by bit
  using StoredAt = std::tuple<Place, std::uint32_t, std::uint32_t>;  // and an array's pointer

  void Count(const address::Request& request);
  void Touch(const address::Request& request, std::uint32_t width);
  void CountStore(double sectors, double ideal);
  void CountLoad(double sectors, Batch& batch);
  double Missed();
  void MakeRoom();

  address::RequestFilter* const filter_;
  const std::size_t lines_kept_;
  Behind behind_{*this};
  absl::flat_hash_map<std::uint32_t, Access> accesses_;  // by instruction
  // By place and the number of stores before them.
  absl::flat_hash_map<std::pair<Place, std::uint32_t>, Batch> batches_;
  absl::flat_hash_map<StoredAt, std::uint32_t> stores_;
  std::vector<Touched> touched_;  // by the request, in the order of lines
  absl::flat_hash_map<std::uint64_t, Line> lines_;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> uses_;  // line and when
  std::uint64_t now_ = 0;
  Waits waits_;
};

// Warps that a multiprocessor has at a time, at most; 0: not known.
double WarpsAtATime(const Subject& subject);

}  // namespace coalcheck::moves
