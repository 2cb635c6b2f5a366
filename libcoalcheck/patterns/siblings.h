// SPDX-License-Identifier: Apache-2.0
//
// Accesses of one warp whose addresses differ by constants: the x, y and z of a structure, a vector
// split by hand.
#pragma once

#include <optional>
#include <vector>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

// How many bytes of a structure of `size` bytes an access of `width` bytes and its siblings use.
// Structures lie one behind the other, so what lies in a neighbour's is taken to this one.
Bytes BytesUsed(Bytes size, Bytes width, const std::vector<Sibling>& siblings);

// What a step of `size` bytes is, larger than an access of `width` bytes, by who uses the bytes
// between: nobody, and it is a stride; or its siblings all or some of them, and it is a structure.
Pattern StepPattern(Bytes size, Bytes width, const std::vector<Sibling>& siblings);

// What one warp touches with an access and its siblings together: 32 lanes a step apart.
struct GroupRequest {
  Sectors sectors;
  Sectors ideal;  // that all bytes in use would fill, each counted once; at most `sectors`
  friend bool operator==(const GroupRequest&, const GroupRequest&) = default;
};

// The most that the group of an affine access can touch from the places in a line where the access
// alone touches `alone` sectors; empty when no place is one, or when the code says too little.
std::optional<GroupRequest> JoinSiblings(Bytes width, const AddressFact& address, Sectors alone);

}  // namespace coalcheck::patterns
