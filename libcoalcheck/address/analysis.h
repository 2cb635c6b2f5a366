// SPDX-License-Identifier: Apache-2.0
//
// Follows registers of one function backwards to what they were made of. Values are asked for one
// at a time and remembered. Where two ways meet, the value is first an unknown of its own (kEntry);
// solving replaces it by what all ways agree on, by a start and a step per round of a loop, or by
// something merged that is at least known to be the same for all lanes.
//
// Everything is bounded: a depth, and an amount of work per function. What lies beyond is unknown.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "libcoalcheck/address/atoms.h"
#include "libcoalcheck/address/function_code.h"

namespace coalcheck::address {

// How a value can differ between the lanes of one request.
enum class Variance : std::uint8_t {
  kSame,    // not at all
  kInRows,  // not within a row: decided by indices divided by something that is kSame, rounded down
  kKnown,   // through the thread index, in a way that can be computed
  kUnknown,  // in some way
};

class Analysis {
 public:
  explicit Analysis(const FunctionCode& code) : code_(code) {}

  const AtomTable& atoms() const { return atoms_; }
  AtomTable& atoms() { return atoms_; }

  // The address of the global access at instruction `n`, solved, as a number of 64 bits; empty when
  // the access names it in a way that is not read here.
  std::optional<Polynomial> AddressOf(std::uint32_t n);

  // How `value` differs between the lanes that are at block `b` together.
  Variance VarianceOf(const Polynomial& value, std::uint32_t b);
  // Adds the global loads whose results decide `value` in a way that differs between lanes.
  void AddLoads(const Polynomial& value, std::vector<std::uint32_t>& loads);
  // Whether all lanes leave `loop` in the same round.
  bool LeavesTogether(std::uint32_t loop);

 private:
  // The predicate that the access being looked at is executed under: what was written under the
  // same one has been written, what was written under its opposite has not.
  struct Guard {
    std::uint32_t predicate = 7;
    bool negated = false;
    std::uint64_t written = 0;  // by what
    std::uint32_t id = 0;       // 0 for none
  };
  struct Operand {
    Polynomial word;
    bool negated = false;
  };

  // --- values.cpp: what a place holds
  Polynomial WordBefore(std::uint32_t place, std::uint32_t n);
  Polynomial WordAtEntry(std::uint32_t place, std::uint32_t b);
  Polynomial WordAtEnd(std::uint32_t place, std::uint32_t b);
  Polynomial WordWritten(std::uint32_t place, std::uint32_t n);
  Polynomial PairBefore(std::uint32_t place, std::uint32_t n);
  Polynomial Unknown(std::uint32_t place, std::uint32_t n);
  std::uint64_t WriterOf(std::uint32_t place, std::uint32_t n);
  void TakeGuard(std::uint32_t n);
  bool Spend(std::uint64_t steps);
  Polynomial PairOf(const Polynomial& low, const Polynomial& high);

  // --- arithmetic.cpp: what an instruction writes; empty for what is not followed
  std::optional<Polynomial> Compute(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> Add3(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> Add64(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> MultiplyAdd(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> MultiplyWide(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> ShiftAdd(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> Shift(std::uint32_t n);
  std::optional<Polynomial> Logic(std::uint32_t n);
  std::optional<Polynomial> Move(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> Constant(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> Special(std::uint32_t place, std::uint32_t n);
  std::optional<Polynomial> Loaded(std::uint32_t place, std::uint32_t n);
  Operand A(std::uint32_t n);
  std::optional<Operand> B(std::uint32_t n);
  std::optional<Operand> C(std::uint32_t n);
  std::optional<Operand> Slot32(std::uint32_t n);
  Operand Slot64(std::uint32_t n);
  std::optional<Polynomial> PairA(std::uint32_t n);
  std::optional<Polynomial> PairB(std::uint32_t n);
  std::optional<Polynomial> PairC(std::uint32_t n);
  std::optional<Polynomial> PairAt(std::uint32_t n, unsigned bit);
  std::optional<Polynomial> CarryIn(std::uint32_t n, unsigned bit);
  Polynomial RegisterAt(std::uint32_t n, unsigned bit, bool uniform);
  Polynomial ConstantWord(std::uint32_t bank, std::uint32_t offset);
  bool IsUniform(std::uint32_t n) const;

  // --- solve.cpp: what ways that meet agree on
  struct Ways {
    std::vector<Polynomial> values;
    std::vector<std::uint32_t> from;  // the blocks that the ways come from
  };
  Polynomial Solved(const Polynomial& value);
  Polynomial SolvedAtom(AtomId id);
  Polynomial PairEntries(const Polynomial& value);
  std::optional<AtomId> ExtendedEntry(AtomId id) const;
  bool IsSettled(AtomId id);
  Polynomial SolveEntry(AtomId id);
  Polynomial ValueFrom(const Atom& entry, std::uint32_t b);
  std::optional<Polynomial> Repeated(AtomId id, std::uint32_t loop, const Polynomial& start,
                                     const Ways& again);
  using MergedAtom = std::function<Polynomial(std::uint32_t how)>;
  std::optional<Polynomial> Merge(std::uint32_t b, const Ways& ways, const MergedAtom& merged);
  std::optional<Polynomial> OneOf(const Ways& ways, const MergedAtom& merged);
  std::optional<Polynomial> Shortened(const Polynomial& value, std::uint32_t place,
                                      std::uint32_t n);
  bool IsChoice(const Atom& atom) const;
  Polynomial SolveChoice(AtomId id);
  std::optional<Polynomial> WithFactors(const std::vector<Polynomial>& varying,
                                        const std::vector<std::uint32_t>& from,
                                        const MergedAtom& merged);
  Monomial VaryingPart(const Monomial& monomial, std::uint32_t b);
  bool IsFixedIn(const Polynomial& value, std::uint32_t loop);

  // --- variance.cpp: what differs between lanes
  Variance VarianceOf(AtomId id, std::uint32_t b);
  Variance VarianceOfInner(const Atom& atom, std::uint32_t b);
  Variance OwnVariance(AtomId id);
  Variance FindVariance(AtomId id);
  Variance VarianceOfReads(std::uint32_t n, std::uint32_t place);
  Variance VarianceOfPlace(std::uint32_t place, std::uint32_t n);
  bool MeetsTogether(std::uint32_t b, std::span<const std::uint32_t> from);
  bool BranchesTogether(std::uint32_t b);
  std::uint32_t HomeOf(const Atom& atom) const;
  void AddLoads(const Polynomial& value, std::vector<std::uint32_t>& loads, std::set<AtomId>& seen,
                std::uint32_t depth);
  std::uint32_t OpcodeOf(std::uint32_t n) const;

  // --- quotients.cpp: what differs from row to row only
  bool GrowsByOneAtMost(const Polynomial& word, std::uint32_t b);
  bool IsHighProduct(std::uint32_t n, bool plus_number);
  bool IsWrittenForSure(const Atom& atom);
  bool IsQuotient(const Atom& written);
  bool IsHighHalf(const Polynomial& word, std::uint32_t b);

  const FunctionCode& code_;
  AtomTable atoms_;
  Guard guard_;
  std::map<std::tuple<std::uint32_t, bool, std::uint64_t>, std::uint32_t> guard_ids_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Polynomial> written_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Polynomial> at_entry_;
  std::unordered_map<AtomId, std::optional<Polynomial>> solved_;  // empty: being solved
  std::unordered_map<AtomId, std::optional<Variance>> variance_;  // empty: being found
  std::unordered_map<std::uint32_t, std::optional<bool>> leaves_together_;
  std::uint32_t depth_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace coalcheck::address
