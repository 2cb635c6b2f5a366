// SPDX-License-Identifier: Apache-2.0
//
// How an address differs between the lanes of a warp, read off its formula.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/address/few_numbers.h"
#include "libcoalcheck/address/formula.h"
#include "libcoalcheck/address/formula_words.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {

struct LanePart {
  // Each says more than those before it can.
  enum class Kind : std::uint8_t {
    kNone,       // all lanes have the same address
    kConstants,  // lanes differ by thread indices and numbers that stand in the code
    kOfRun,      // and by what the launch decides: parameters, sizes of blocks, values that all
                 // lanes load alike
    kLoaded,     // and by values that lanes load
    kNotKnown,
  };
  Kind kind = Kind::kNone;
  // By how many bytes neighbours in x differ: empty when that is not the same for all of them, a
  // number or else what the run decides.
  std::optional<Formula> step;
  // Instructions whose loaded values make lanes differ.
  std::vector<std::uint32_t> loads;

  std::optional<std::int64_t> StepInBytes() const;
  friend bool operator==(const LanePart&, const LanePart&) = default;
};

// Of all accesses of a function. Warps are taken to lie along x: a block's size in x counts as a
// multiple of 32. Lanes that leave a loop in another round than others because an index comes to
// its end, in the last warps of a grid, count as staying with them.
class FormulaLanes {
 public:
  explicit FormulaLanes(const FunctionFormulas& formulas);

  // Of an access. kNotKnown where it has no formula.
  LanePart Of(std::uint32_t instruction) const;
  // Atoms and terms that were looked at, as a measure of the time.
  std::uint64_t work() const { return work_; }

 private:
  LanePart OfFormula(const Formula& formula) const;
  LanePart OfTerm(const Formula::Term& term) const;
  LanePart OfAtom(AtomId id);
  LanePart OfArguments(const FormulaAtom& atom) const;
  LanePart OfSpecial(const FormulaAtom& atom) const;
  LanePart OfLoad(const FormulaAtom& atom) const;
  LanePart OfExchange(const FormulaAtom& atom) const;
  LanePart OfChoice(const FormulaAtom& atom) const;
  LanePart OfLoopValue(AtomId id) const;
  LanePart OfQuotient(const FormulaAtom& atom) const;
  LanePart OfExits(std::uint32_t loop);
  bool IsEven(const Formula& formula, std::uint32_t loop, int depth);
  bool IsEven(const FormulaAtom& atom, std::uint32_t loop, int depth);
  bool IsWide(const Formula& factor, const Formula& step) const;
  bool IsAlongWarps(const Formula& formula, std::uint64_t divisor) const;
  bool AllLanesTakePart(std::uint32_t instruction) const;
  void FindLoops();
  void AddLeftLoops(const Formula& formula, std::uint32_t block, LanePart& part) const;

  const FunctionFormulas& formulas_;
  const FormulaAtoms& atoms_;
  std::vector<LanePart> parts_;  // by atom
  std::vector<LanePart> exits_;  // by loop
  // By atom: loops in which its value came to be, and that lanes leave in different rounds.
  std::vector<FewNumbers> loops_;
  // Atoms that may still be looked at for whether lanes leave loops together: beyond, they do not.
  std::size_t even_left_ = std::size_t{1} << 20U;
  bool has_stack_ = false;
  std::uint64_t work_ = 0;
};

// "consecutive threads are 4 bytes apart", "… parameter 4 elements apart", "the same for all
// lanes", "depends on what is loaded in line 12". `width` of the access: what an element is.
std::string LaneWords(const FunctionFormulas& formulas, const LanePart& part, Bytes width,
                      const FormulaNames& names);

}  // namespace coalcheck::address
