// SPDX-License-Identifier: Apache-2.0
//
// Where the fields of an array's structures lie, by who asks for what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "libcoalcheck/address/request.h"
#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// An array of structures, or of rows that a thread each goes through: what lies at one place of all
// of them belongs side by side.
class Fields {
 public:
  // `begin`: of the array, `structure`: bytes from one structure to the next; not 0.
  Fields(std::uint64_t begin, std::uint64_t structure) : begin_(begin), structure_(structure) {}

  // A request for `width` bytes of each lane, whose addresses are known.
  void Note(const address::Request& request, std::uint32_t width);
  // One whose structure data choose: where in it, and for how many bytes.
  void Note(std::uint64_t offset, std::uint32_t width);
  // Someone goes through a row of elements of so many bytes, as far as data decide.
  void NoteRow(std::uint32_t width);
  // After the last one. False where these are no fields: they overlap, stick out, or which one it
  // is depends on the thread. `leaders`: of copies of one access, which one they are counted as;
  // `is_cut`: loops were left early, so that who went through two may go through many.
  bool Settle(const Leaders& leaders, bool is_cut);

  std::uint64_t structure() const { return structure_; }
  bool has_row() const { return row_width_ != 0; }
  std::size_t count() const { return row_width_ == 0 ? fields_.size() : structure_ / row_width_; }
  // Whether one instruction goes through many of them: they are elements of a row.
  bool are_elements() const {
    return (row_width_ == 0 ? most_of_instruction_ : count()) >= kElements;
  }
  // Whether it has so many bytes at most, and all are used.
  bool IsFullyUsed(std::uint64_t most) const;
  // Whether copies of one instruction go through some that lie side by side, as of a loop that the
  // compiler unrolled.
  bool has_run() const { return has_run_; }
  // Where `width` bytes at `address` lie with an array for each field, each far from the others; of
  // what nobody was seen to ask for, in one of its own. Empty for what is not in the array, and
  // where data may choose something else than a structure or an element of a row.
  std::optional<address::Value> Place(address::Value address, std::uint32_t width,
                                      address::Unknowns& unknowns) const;

 private:
  // From one array to the next: a multiple of any line.
  static constexpr std::uint64_t kFar = std::uint64_t{1} << 40U;
  static constexpr std::size_t kMostNoted = std::size_t{1} << 16U;
  static constexpr std::size_t kElements = 12;
  static constexpr std::size_t kElementsSideBySide = 8;

  void AddField(std::uint64_t begin, std::uint64_t end, bool may_grow);
  bool IsRun(const std::set<std::uint64_t>& offsets) const;
  // By how much it lies farther on there what lies `form` farther on here, in an array of elements
  // of `size` bytes.
  std::optional<address::Form> Moved(address::Form form, std::uint64_t size,
                                     address::Unknowns& unknowns) const;

  const std::uint64_t begin_;
  const std::uint64_t structure_;
  // Of instruction and turn: the one offset that all threads have, but for loops that were left
  // early, not each time in the same round.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> offsets_;
  std::map<std::uint64_t, std::uint32_t> widths_;  // by offset
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>>
      spread_;                                     // over lanes, by instruction
  std::map<std::uint64_t, std::uint64_t> fields_;  // end by begin
  std::size_t most_of_instruction_ = 0;
  std::uint32_t row_width_ = 0;  // of an element; 0: nobody noted a row
  std::size_t alike_ = 0;        // requests that had the offset that is known
  std::size_t other_ = 0;        // and those that had another one
  bool has_run_ = false;
  bool fits_ = true;
};

}  // namespace coalcheck::moves
