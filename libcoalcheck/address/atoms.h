// SPDX-License-Identifier: Apache-2.0
//
// The unknowns that addresses are made of, each kept once, and the exact arithmetic of 32-bit
// registers on them.
//
// A register is written as its *word*: its value times 2^32, modulo 2^64. A pair of registers is
// then the sum Z(low) + word(high), with Z the value of the low register as a number from 0 to
// 2^32 - 1; and what an addition carries into the high register is, as a word, the Z of its
// operands less the Z of its sum. So the halves of 64-bit arithmetic, in whatever order the
// compiler placed them, cancel to the plain sum.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "libcoalcheck/address/polynomial.h"

namespace coalcheck::address {

enum class AtomKind : std::uint8_t {
  kSpecial,       // a: the special register
  kConstant,      // 32 bits of constant bank a at byte b
  kConstantPair,  // 64 bits there
  kZeroExtended,  // inner: a word
  kSignExtended,  // inner: a word
  kAnd,           // inner: a word; a: the mask
  kShiftRight,    // inner: a word; a: by how many bits, zeros coming in
  kHigh,          // inner: a word that is no sum of 32-bit values; its value
  kLoaded,        // what the global load at instruction a put into its b-th register
  kLoadedPair,    // its b-th and next
  kWritten,       // what instruction a wrote to place b, in a way that was not followed
  kEntry,         // place b where block a begins
  kEntryPair,     // the pair of places b (low) and c (high) there
  kMerged,        // what the ways into block a may have left in places b and c
  kChosen,        // what place b holds after instruction a, which is executed under a predicate
  kRest,       // of what instruction a wrote to place b the terms that do not differ between lanes
  kIteration,  // how often the loop whose first block is a has gone round
  kCarry,      // a part of instruction a's carry
};

// What the last number of a kMerged, kChosen or kRest atom says of it; of a kRest, its lowest bits.
enum Merged : std::uint32_t {
  kMergedAnyhow = 0,
  kMergedBeforeLoop,
  kMergedSame,    // the same for all lanes
  kMergedInRows,  // of quotients, too
  // And all above: the same for all lanes, multiplied by what differs between them. From
  // kMergedOfRun on no way has a constant for it.
  kMergedFactor,
  kMergedOfRun = 8,
};
inline constexpr std::uint32_t kMergedBits = 4;

struct Atom {
  AtomKind kind = AtomKind::kSpecial;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  Polynomial inner;
  std::uint64_t most = ~std::uint64_t{0};  // the largest value, where it is known to be smaller

  bool has_inner() const {
    return kind == AtomKind::kZeroExtended || kind == AtomKind::kSignExtended ||
           kind == AtomKind::kAnd || kind == AtomKind::kShiftRight || kind == AtomKind::kHigh;
  }
};

// Numbers of special registers, as S2R names them.
enum SpecialRegister : std::uint32_t {
  kLaneId = 0x00,
  kThreadX = 0x21,
  kThreadY = 0x22,
  kThreadZ = 0x23,
  kBlockX = 0x25,
  kBlockY = 0x26,
  kBlockZ = 0x27,
  // No registers, but words of a constant bank with a fixed place: blockDim and gridDim.
  kBlockSizeX = 0x100,
  kBlockSizeY = 0x101,
  kBlockSizeZ = 0x102,
  kGridSizeX = 0x103,
  kGridSizeY = 0x104,
  kGridSizeZ = 0x105,
};

inline constexpr std::uint64_t kWordUnit = std::uint64_t{1} << 32U;

class AtomTable {
 public:
  const Atom& operator[](AtomId id) const { return atoms_[id]; }
  std::size_t size() const { return atoms_.size(); }

  AtomId Intern(AtomKind kind, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);
  // The word of a 32-bit register that holds the unknown.
  Polynomial WordOf(AtomId atom) const { return Polynomial::Of(atom, kWordUnit); }

  // Values of words, as numbers.
  Polynomial ZeroExtended(const Polynomial& word);
  Polynomial SignExtended(const Polynomial& word);
  Polynomial And(const Polynomial& word, std::uint32_t mask);
  Polynomial ShiftRight(const Polynomial& word, std::uint32_t bits);
  // The value of a word, modulo 2^32: as a sum, with one unknown for what is none.
  Polynomial PlainValue(const Polynomial& word);
  // Bits that may be set in a word's value.
  std::uint32_t PossibleBits(const Polynomial& word) const;

  // `value` with each term in which a Z or S is multiplied by 2^32 written as a word.
  Polynomial Normal(const Polynomial& value);
  std::optional<Polynomial> OpenOne(const Polynomial& value) const;
  // The word of the low half of `value`, and of the high half, Z(low) being taken from it.
  Polynomial LowWord(const Polynomial& value);
  Polynomial HighWord(const Polynomial& value);
  // Whether the high half was taken of a number whose low half is `word`.
  bool WasCutFrom(AtomId zero_extended) const { return cut_.contains(zero_extended); }

  // The largest and smallest value of `value` as a number, empty when not known.
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  std::optional<Range> RangeOf(const Polynomial& value) const;

 private:
  AtomId InternInner(AtomKind kind, const Polynomial& word, std::uint32_t a, std::uint64_t most);

  std::vector<Atom> atoms_;
  std::map<std::tuple<AtomKind, std::uint32_t, std::uint32_t, std::uint32_t>, AtomId> plain_;
  std::map<std::tuple<AtomKind, std::uint32_t, Polynomial>, AtomId> inner_;
  std::set<AtomId> cut_;
};

// The value of a word whose coefficients are multiples of 2^32, each taken as a signed number of
// 32 bits; empty for others.
std::optional<Polynomial> SignedValue(const Polynomial& word);

}  // namespace coalcheck::address
