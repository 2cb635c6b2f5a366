// SPDX-License-Identifier: Apache-2.0
//
// What one request costs at least and at most, where not all of its addresses is known.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "libcoalcheck/address/request.h"
#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/prediction/store_facts.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::prediction {

struct RequestRange {
  sectors::RequestCounts least;
  sectors::RequestCounts most;
  // Lanes differ by something that is not known, and not only all of them together.
  bool lanes_are_open = false;
  bool by_stores = false;  // what the warp stores to told how far lanes lie apart
};

// Remembers what it has counted: warps of a kernel ask for the same again and again.
class RequestRanges {
 public:
  // `width`: bytes of a lane. `step`: bytes from one round of a loop to the next where nobody knows
  // how many rounds there are, else 0. `stores`: of the same warp; null: nothing is known.
  RequestRange Of(const address::Request& request, std::uint32_t width, std::uint64_t step,
                  const address::Unknowns& unknowns, StoreFacts* stores = nullptr);

 private:
  // Of lanes that differ by numbers alone.
  RequestRange OfGroup(const address::Request& request, address::LaneMask active,
                       std::uint32_t width, std::uint64_t grain);
  // Of lanes that lie a number and so many times an unknown distance apart, of which guards say
  // what it is at least, or stores; empty where they do not.
  std::optional<RequestRange> OfDistance(const address::Request& request, std::uint32_t width,
                                         std::uint64_t grain, const address::Unknowns& unknowns,
                                         StoreFacts* stores);
  // Of groups of such lanes that may lie next to each other, or each anywhere.
  RequestRange OfGroups(const address::Request& request, std::uint32_t width, std::uint64_t grain);

  // A request whose lanes lie one step apart: who takes part, the step, the width, what the place
  // of the first is a multiple of, and what is known of it.
  using Key =
      std::tuple<address::LaneMask, std::uint64_t, std::uint32_t, std::uint64_t, std::uint64_t>;
  absl::flat_hash_map<Key, RequestRange> known_;
  // The same of lanes an unknown distance apart: also how far lanes lie apart beside it, how often
  // it, and what it cannot be.
  using DistanceKey = std::tuple<Key, std::array<std::uint64_t, kWarpSize>,
                                 std::array<std::int64_t, kWarpSize>, std::uint64_t>;
  absl::flat_hash_map<DistanceKey, RequestRange> known_distances_;
};

}  // namespace coalcheck::prediction
