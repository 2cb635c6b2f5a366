// SPDX-License-Identifier: Apache-2.0
//
// What a pattern is decided from: the counts of one instruction, and what its PTX says of
// the address.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cubin/access_kind.h"

namespace coalcheck::patterns {

// Bytes from one address to another; negative when the other lies below.
using ByteStep = Id<struct ByteStepTag, std::int64_t>;

// Another access of the same kernel whose address differs from this one's by a constant, whatever
// the thread.
struct Sibling {
  ByteStep from_here;
  Bytes width;  // per lane
};

// How far apart the addresses are, at most, that all threads of a grid ask for in one round of
// their loops, and by how much further each round takes them.
struct Reach {
  Bytes threads;
  Bytes each_round;
  friend bool operator==(const Reach&, const Reach&) = default;
};

// What following the address back through the code has found, and evaluating it. Everything is
// optional: what is not known for certain stays empty, and the counts decide alone.
struct AddressFact {
  enum class Form {
    kNotKnown,
    kAffine,  // every lane's address is its neighbour's plus a step that no load decides
    kLoaded,  // the difference between lanes depends on a value that was loaded
  };
  Form form = Form::kNotKnown;
  // kAffine. From a lane to the next; 0 when the address does not depend on the lane.
  std::optional<ByteStep> lane_step;
  // kAffine. A parameter or the launch decides the step: types have their sizes from the compiler.
  bool step_of_run = false;
  // kAffine. After so many lanes (blockDim.x of a block narrower than a warp) another step comes;
  // all 32 unless said.
  Lanes row_lanes{kWarpSize};
  // kAffine. From the pointer that was passed in to the address of a warp's first lane, modulo 32,
  // where it is the same for all warps.
  std::optional<Bytes> offset;
  // Without a value it is not known whether there are any.
  std::optional<std::vector<Sibling>> siblings;
  // From one turn of the innermost loop to the next; 0 outside of loops.
  std::optional<ByteStep> loop_step;
  // kAffine. What all blocks ask for, where they ask for the same.
  std::optional<Reach> reach;
  // How the lanes' addresses lie to each other, evaluated for the launches that were counted and
  // not contradicted by the counts; most requests first. Empty: not evaluated.
  std::vector<address::ShapeShare> shapes;
};

struct Evidence {
  cubin::AccessKind kind = cubin::AccessKind::kLoad;
  Bytes width;    // per lane; 0 when not known
  Counts counts;  // sums over requests; requests, lanes and lines must have been counted
  // Threads in a row of the block (blockDim.x), when all launches had the same.
  std::optional<Lanes> block_row;
  AddressFact address;
};

}  // namespace coalcheck::patterns
