// SPDX-License-Identifier: Apache-2.0
//
// Which registers one SASS instruction reads and writes, as far as following values needs it:
// where an operand is in doubt it counts as read and as written.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "libcoalcheck/machine_code/instruction.h"

namespace coalcheck::machine_code {

// Where a value can be: R0 to R254, the uniform registers, the predicates of both kinds; and, as
// addresses are not known, one location each for shared memory, local memory and the barriers'
// votes.
enum StorageLocation : std::uint16_t {
  kVector = 0,
  kUniform = 256,
  kPredicate = 512,
  kUniformPredicate = 520,
  kSharedMemory = 528,
  kLocalMemory = 529,
  kBarrierVote = 530,
  kLocationCount = 576,
};

// A set of storage locations.
class LocationSet {
 public:
  void Add(unsigned first, unsigned count) {
    for (unsigned location = first; location < first + count; ++location) {
      words_[location / 64] |= std::uint64_t{1} << (location % 64);
    }
  }
  void Remove(unsigned first, unsigned count) {
    for (unsigned location = first; location < first + count; ++location) {
      words_[location / 64] &= ~(std::uint64_t{1} << (location % 64));
    }
  }
  bool Has(unsigned location) const {
    return ((words_[location / 64] >> (location % 64)) & 1U) != 0;
  }
  bool HasAny(unsigned first, unsigned count) const {
    for (unsigned location = first; location < first + count; ++location) {
      if (Has(location)) return true;
    }
    return false;
  }
  bool empty() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  // True when this adds something.
  bool Add(const LocationSet& other) {
    std::uint64_t added = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      added |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return added != 0;
  }

 private:
  std::array<std::uint64_t, kLocationCount / 64> words_{};
};

struct LocationRange {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  bool Has(unsigned location) const { return location >= first && location < first + count; }
  friend bool operator==(LocationRange, LocationRange) = default;
};

// A few ranges of locations.
class LocationRanges {
 public:
  void Add(unsigned first, unsigned count) {
    if (count == 0 || size_ == ranges_.size()) return;
    ranges_[size_++] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)};
  }
  const LocationRange* begin() const { return ranges_.data(); }
  const LocationRange* end() const { return ranges_.data() + size_; }

 private:
  std::array<LocationRange, 16> ranges_{};
  std::size_t size_ = 0;
};

struct Operands {
  LocationRanges reads;   // the guard's predicate included
  LocationRanges writes;  // what may be written
  // What is written for certain whenever the instruction is reached; the rest may keep its value.
  LocationRanges overwrites;
};

Operands ReadOperands(const Word& word, std::uint32_t sm);

// What decides whether a branch is taken, a predicated instruction is executed.
LocationRanges ReadCondition(const Word& word);

}  // namespace coalcheck::machine_code
