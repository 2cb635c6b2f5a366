// SPDX-License-Identifier: Apache-2.0
//
// An address as a sum that a reader can follow: thread and block indices, parameters, loads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {

enum class FactorKind : std::uint8_t {
  kThreadIdx,  // number: 0 to 2 for x, y, z; so for the next three
  kBlockIdx,
  kBlockDim,
  kGridDim,
  kLaneId,
  kParameter,  // number: which, counted from 1; byte: where in it
  kConstant,   // number: the constant bank; byte: where in it
  kRounds,     // rounds of the loop that begins at pc
  kLoaded,     // what the load at pc brought; byte: where in it
  kBits,       // number: into AddressExpression::bits
  kUniform,    // something that is the same for all lanes of a request; number tells them apart
  kOfRun,      // the same, and one of several numbers that no constant of the code is
  kRow,        // an index divided by such a thing, rounded down; number tells them apart
  kUnknown,    // something else; number tells them apart
};

struct Factor {
  FactorKind kind = FactorKind::kUnknown;
  std::uint32_t number = 0;
  std::uint32_t byte = 0;
  PcOffset pc;
  friend bool operator==(const Factor&, const Factor&) = default;
};

// coefficient · factor · factor …
struct Term {
  std::int64_t coefficient = 0;
  std::vector<Factor> factors;  // at least one
  friend bool operator==(const Term&, const Term&) = default;
};

struct Sum {
  std::vector<Term> terms;
  std::int64_t constant = 0;
  friend bool operator==(const Sum&, const Sum&) = default;
};

// Some bits of a number from 0 to 2^32 - 1.
struct Bits {
  Sum of;
  std::uint32_t shifted_right = 0;  // by how many bits, first
  std::uint32_t mask = 0xffffffff;  // and then what is kept
  friend bool operator==(const Bits&, const Bits&) = default;
};

// How the address differs between the lanes of one request.
enum class LaneDependence : std::uint8_t {
  kNone,    // all lanes have the same one
  kIndex,   // through thread indices, as the sum says
  kLoaded,  // through what was loaded from memory: `loads`
  kNotKnown,
};

struct AddressExpression {
  LaneDependence lanes = LaneDependence::kNotKnown;
  Sum sum;  // in bytes; without meaning when lanes is kNotKnown
  std::vector<Bits> bits;
  std::vector<PcOffset> loads;  // global loads whose results make the lanes' addresses differ
  // What is said of lanes is true within a row: the sum has a kRow, which is the same for its
  // lanes.
  bool in_rows = false;
};

// Whether the sum says how the lanes' addresses differ.
bool IsExplained(const AddressExpression& address);

// What is certain of index arithmetic in 32 bits is only its value modulo 2^32. Expressions are
// written as if it does not overflow, which a program with the address in bounds guarantees.

// How far apart the addresses of threads are that are neighbours in x.
struct LaneStep {
  std::optional<std::int64_t> bytes;  // when it is a number
  Sum sum;                            // else what it is made of; all of it the same for all lanes
};
// Empty when it is not known, or differs from lane to lane; but for the ends of rows.
std::optional<LaneStep> StepInX(const AddressExpression& address);

struct BlockShape {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};
// For each lane of warp number `warp` of a block how many bytes its address lies behind lane 0's;
// lanes that a last, partial warp lacks are left out. Empty when that is not a matter of numbers,
// or where rows may end.
std::optional<std::vector<std::int64_t>> LaneOffsets(const AddressExpression& address,
                                                     const BlockShape& block, std::uint32_t warp);

// How far apart the addresses are, at most, that all threads of a grid ask for in one round of
// their loops, and by how much further each round takes them.
struct Reach {
  Bytes threads;
  Bytes each_round;
  friend bool operator==(const Reach&, const Reach&) = default;
};
// Empty where blocks ask for different things, or nothing bounds what they ask for.
std::optional<Reach> ReachOfGrid(const AddressExpression& address, const BlockShape& block);

// How many bytes `b` lies behind `a`, when that is always the same: fields of one struct, elements
// of one vector. Both of one function.
std::optional<std::int64_t> ConstantDistance(const AddressExpression& a,
                                             const AddressExpression& b);

}  // namespace coalcheck::address
