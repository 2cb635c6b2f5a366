// SPDX-License-Identifier: Apache-2.0
//
// Takes the step between lanes, and of all other terms what they are multiples of.
#include "libcoalcheck/prediction/formula_range.h"

#include <algorithm>
#include <bit>
#include <cstring>

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
    return std::ranges::binary_search(pointers_, offset) ? kPointerZeros : 0;
  }

  const address::AccessFormulas& formulas_;
  std::span<const std::uint32_t> pointers_;
};

// A whole number among the arguments; empty where it is not known.
std::optional<std::int64_t> ArgumentOf(const FormulaAtom& atom, const ptx::Function& function,
                                       const address::LaunchValues& launch) {
  if (atom.kind != FormulaKind::kParameter || atom.b != 0 || !launch.arguments) return std::nullopt;
  if (atom.a >= function.parameters.size()) return std::nullopt;
  const ptx::Parameter& one = function.parameters[atom.a];
  const std::size_t end = std::size_t{one.offset} + one.bytes;
  if (one.bytes != 4 || end > launch.arguments->size()) return std::nullopt;
  for (std::size_t i = one.offset; i < end; ++i) {
    if (launch.known && (i >= launch.known->size() || (*launch.known)[i] == 0)) return std::nullopt;
  }
  std::int32_t value = 0;
  std::memcpy(&value, launch.arguments->data() + one.offset, sizeof(value));
  return value;
}

// By how many bytes neighbours differ; empty where that is not the same for all, or not known.
std::optional<std::int64_t> StepOf(const address::AccessFormulas& formulas, const LanePart& lanes,
                                   const address::LaunchValues& launch) {
  if (lanes.kind == LanePart::Kind::kNone) return 0;
  const bool is_certain =
      lanes.kind == LanePart::Kind::kConstants || lanes.kind == LanePart::Kind::kOfRun;
  if (!is_certain || !lanes.step) return std::nullopt;
  std::uint64_t step = 0;
  for (const auto& [monomial, coefficient] : lanes.step->terms()) {
    std::uint64_t product = coefficient;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const FormulaAtom& atom = formulas.formulas().atoms()[monomial.atom(i)];
      const auto value = ArgumentOf(atom, formulas.function(), launch);
      if (!value) return std::nullopt;
      product *= static_cast<std::uint64_t>(*value);
    }
    step += product;
  }
  return static_cast<std::int64_t>(step);
}

}  // namespace

std::optional<RequestRange> RangeByFormula(const address::AccessFormulas& formulas,
                                           std::uint32_t instruction, std::uint32_t width,
                                           const address::LaunchValues& launch) {
  const Formula* address = formulas.Of(instruction);
  if (address == nullptr) return std::nullopt;
  const auto step = StepOf(formulas, formulas.LanesOf(instruction), launch);
  if (!step) return std::nullopt;
  std::uint64_t known = 0;
  const unsigned zeros = Terms(formulas, launch.pointers).Split(*address, *step, known);
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
  return RequestRanges().Of(request, width, 0, unknowns);
}

}  // namespace coalcheck::prediction
