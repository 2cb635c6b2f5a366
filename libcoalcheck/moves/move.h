// SPDX-License-Identifier: Apache-2.0
//
// A move: a change of a kernel by which other lanes ask for the same data, or for data that lie
// elsewhere, with what was found when it was tried on a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::moves {

// Those that take less work come first: of two that bring as much, the first is preferred.
enum class MoveKind : std::uint8_t {
  kVector,          // what a thread takes side by side comes in one access
  kExchangeAxes,    // x of threadIdx, blockIdx, blockDim changes places with another axis
  kRenumber,        // threads that are neighbours are such as were some places apart
  kBlockShape,      // as many threads in a block of another shape
  kStriped,         // thread t takes t, t + blockDim, … instead of elements side by side
  kAlign,           // an array begins some bytes later
  kPadRows,         // rows of an array are padded to whole sectors
  kFieldArrays,     // an array for each field of a structure
  kInterleave,      // elements of rows that a thread each goes through lie side by side
  kLanesAlongLoop,  // a warp takes the rounds of a loop that one thread took
  kSharedTile,      // through shared memory
};
// Whether data lie elsewhere; else other lanes ask for them.
bool IsLayout(MoveKind kind);
// "exchange_axes" and so on: the name in JSON.
std::string_view ToString(MoveKind kind);

// What a move does to one access, summed over the launch.
struct Change {
  std::uint32_t instruction = 0;  // in the PTX function
  address::Sums before;
  address::Sums after;
  // Data decide addresses or who takes part: `after` is the most that they can bring about.
  bool at_most = false;
  Bytes vector{};  // kVector: that one access takes; 0 for those that stay
};

// A tile of shared memory that a block fills in one order and empties in another.
struct Tile {
  std::uint32_t rows = 0;     // 1: a window of an array, that several threads of a block load from
  std::uint32_t columns = 0;  // elements of a row that are used
  std::uint32_t pitch = 0;    // elements from one row to the next, so that no two lanes of a
                              // request meet in a bank
  Bytes bytes;                // of shared memory, in each block
};

// Shared memory that a kernel gets without asking for more.
inline constexpr Bytes kMostShared{std::uint64_t{48} * 1024};
// Elements of `width` bytes from a row of `columns` to the next, so that the lanes that empty a
// tile column by column meet in no bank.
std::uint32_t PitchOf(std::uint32_t columns, std::uint32_t width);

struct Move {
  MoveKind kind = MoveKind::kExchangeAxes;
  bool in_code = false;                    // sizes that stand in the code have to change with it
  address::Axis axis = address::Axis::kY;  // kExchangeAxes: that x changes places with;
                                           // kSharedTile: that the tile's rows lie along
  std::uint64_t stride = 0;                // kRenumber: by so many places; kSharedTile: 0 or that
  // What threads of a block do together they do otherwise; kSharedTile: a block has to take places
  // along `axis`, too, where it takes one now.
  bool regroups = false;
  address::Extent block;  // kBlockShape, and kExchangeAxes where it is another: of the block
  Tile tile;              // kSharedTile
  std::vector<std::uint32_t> parameters;  // the arrays' that it is about, counted from 0, sorted
  Bytes width;                            // of its elements, as they are accessed
  Bytes structure;           // kFieldArrays, kInterleave: from one structure or row to the next
  std::uint32_t fields = 0;  // kFieldArrays, kInterleave: that the kernel uses, of the first array
  Bytes pitch_before;        // kPadRows: bytes from a row to the next
  Bytes pitch_after;
  Bytes shift;              // kAlign, kPadRows: by so much later
  std::uint32_t turns = 0;  // kStriped, kLanesAlongLoop: elements of a thread
  bool reduces = false;     // kLanesAlongLoop: what a thread summed up, a warp has to
  // The kernel may well take longer then: L1 served what loads wait for the memory for, and so many
  // warps of a multiprocessor at a time do not hide that. 0: no sign of it.
  double slow_warps = 0;
  std::vector<Change> changes;  // every access that was evaluated, by instruction
  double before = 0;            // sectors of the whole kernel
  double after = 0;

  const Change* Find(std::uint32_t instruction) const;
  // That it is about one more array; those that are known stay as they are.
  void AddParameter(std::uint32_t parameter);
};

// What came of trying moves on one launch.
struct TriedMoves {
  bool tried = false;
  std::string why_not;         // a clause, where none was tried
  std::vector<Move> helpful;   // lower the sectors of the kernel; most first
  std::vector<Move> rejected;  // were tried and do not; the least harm first
};

}  // namespace coalcheck::moves
