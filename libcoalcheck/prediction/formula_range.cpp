// SPDX-License-Identifier: Apache-2.0
//
// Takes the step between lanes, and of all other terms what they are multiples of.
#include "libcoalcheck/prediction/formula_range.h"

#include <algorithm>
#include <bit>

namespace coalcheck::prediction {
namespace {

using address::Formula;
using address::FormulaAtom;
using address::FormulaKind;
using address::LanePart;

constexpr unsigned kAnyMultiple = 32;  // zeros behind which nothing matters
constexpr unsigned kWarpZeros = 5;
constexpr unsigned kPointerZeros = 8;

unsigned ZerosOf(std::uint64_t factor) {
  return factor == 0 ? kAnyMultiple : static_cast<unsigned>(std::countr_zero(factor));
}

class Terms {
 public:
  Terms(const address::AccessFormulas& formulas, std::span<const std::uint32_t> pointers)
      : formulas_(formulas), pointers_(pointers) {}

  // Adds what is known of `address` to `known`; returns of how many zeros the rest is certain.
  unsigned Split(const Formula& address, std::int64_t step, std::uint64_t& known) const {
    // Warps begin at multiples of 32 lanes.
    unsigned zeros = kWarpZeros + ZerosOf(static_cast<std::uint64_t>(step));
    for (const auto& [monomial, coefficient] : address.terms()) {
      if (monomial.degree() == 0) {
        known += coefficient;
      } else if (!IsStep(monomial, coefficient, step)) {
        unsigned of_term = ZerosOf(coefficient);
        for (std::size_t i = 0; i < monomial.degree(); ++i) of_term += OfAtom(monomial.atom(i));
        zeros = std::min(zeros, of_term);
      }
    }
    return zeros;
  }

 private:
  const FormulaAtom& Atom(address::AtomId id) const { return formulas_.formulas().atoms()[id]; }

  bool IsStep(const address::Monomial& monomial, std::uint64_t coefficient,
              std::int64_t step) const {
    if (monomial.degree() != 1 || coefficient != static_cast<std::uint64_t>(step)) return false;
    const FormulaAtom& atom = Atom(monomial.atom(0));
    const auto special = static_cast<ptx::Special>(atom.a);
    return atom.kind == FormulaKind::kSpecial &&
           (special == ptx::Special::kTidX || special == ptx::Special::kLaneid);
  }

  unsigned OfAtom(address::AtomId id) const {
    const FormulaAtom& atom = Atom(id);
    if (atom.kind == FormulaKind::kSpecial) {
      return static_cast<ptx::Special>(atom.a) == ptx::Special::kNtidX ? kWarpZeros : 0;
    }
    if (atom.kind != FormulaKind::kParameter) return 0;
    const auto& parameters = formulas_.function().parameters;
    if (atom.a >= parameters.size()) return 0;
    const std::uint32_t offset = parameters[atom.a].offset + atom.b;
    return std::ranges::find(pointers_, offset) == pointers_.end() ? 0 : kPointerZeros;
  }

  const address::AccessFormulas& formulas_;
  std::span<const std::uint32_t> pointers_;
};

}  // namespace

std::optional<RequestRange> RangeByFormula(const address::AccessFormulas& formulas,
                                           std::uint32_t instruction, std::uint32_t width,
                                           std::span<const std::uint32_t> pointers) {
  const Formula* address = formulas.Of(instruction);
  if (address == nullptr) return std::nullopt;
  const LanePart lanes = formulas.LanesOf(instruction);
  const bool is_same = lanes.kind == LanePart::Kind::kNone;
  const auto step = is_same ? std::optional<std::int64_t>(0) : lanes.StepInBytes();
  const bool is_certain =
      is_same || lanes.kind == LanePart::Kind::kConstants || lanes.kind == LanePart::Kind::kOfRun;
  if (!step || !is_certain) return std::nullopt;
  std::uint64_t known = 0;
  const unsigned zeros = Terms(formulas, pointers).Split(*address, *step, known);
  address::Unknowns unknowns;
  const address::Form form = unknowns.Scale(
      unknowns.Symbol({}, unknowns.One({address::Origin::Kind::kNotComputed, instruction})),
      std::uint64_t{1} << std::min(zeros, kAnyMultiple));
  address::Request request;
  request.instruction = instruction;
  request.active = ~address::LaneMask{0};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t behind = lane * static_cast<std::uint64_t>(*step);
    request.addresses.Set(lane, {known + behind, form});
  }
  return RangeOf(request, width, 0, unknowns);
}

}  // namespace coalcheck::prediction
