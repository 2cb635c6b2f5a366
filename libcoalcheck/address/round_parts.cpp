// SPDX-License-Identifier: Apache-2.0
//
// Looks at each product that an address is a sum of.
#include "libcoalcheck/address/round_parts.h"

#include "libcoalcheck/base/units.h"

namespace coalcheck::address {

RoundParts::RoundParts(const FunctionFormulas& formulas)
    : formulas_(formulas), rounds_(formulas), conditions_(formulas, rounds_) {}

RoundPart RoundParts::Of(std::uint32_t access) const {
  const Formula* address = formulas_.Of(access);
  if (address == nullptr || conditions_.MayPartLanes(access)) return RoundPart::kLanes;
  return OfAddress(*address);
}

bool RoundParts::BendsLanes(std::uint32_t access) const {
  const Formula* address = formulas_.Of(access);
  return address != nullptr && rounds_.Of(*address).bends_lanes;
}

RoundPart RoundParts::OfAddress(const Formula& address) const {
  RoundPart all = RoundPart::kSteady;
  for (const auto& [monomial, coefficient] : address.terms()) {
    bool is_uneven = false;
    bool has_lanes = false;
    bool holds_uneven = false;
    std::size_t rounds = 0;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const AtomRound& one = rounds_[monomial.atom(i)];
      is_uneven = is_uneven || one.is_uneven;
      has_lanes = has_lanes || one.follows_lanes;
      holds_uneven = holds_uneven || (one.holds_uneven && !one.is_uneven);
      if (formulas_.atoms()[monomial.atom(i)].kind == FormulaKind::kRound) ++rounds;
    }
    const bool changes = is_uneven || rounds > 1;
    if ((has_lanes && (changes || rounds > 0)) || holds_uneven) return RoundPart::kLanes;
    if (changes && coefficient % kSectorSize.count() != 0) all = RoundPart::kStart;
  }
  return all;
}

}  // namespace coalcheck::address
