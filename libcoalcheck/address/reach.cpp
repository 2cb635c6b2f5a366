// SPDX-License-Identifier: Apache-2.0
//
// Bounds an address over the whole grid, term by term.
#include <algorithm>
#include <limits>

#include "libcoalcheck/address/block_axis.h"
#include "libcoalcheck/address/expression.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;  // far beyond any cache

std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

std::uint64_t Magnitude(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return std::min(kMost, number < 0 ? 0 - bits : bits);
}

bool IsTheSameForAll(const Factor& factor) {
  return factor.kind == FactorKind::kParameter || factor.kind == FactorKind::kConstant ||
         factor.kind == FactorKind::kGridDim || factor.kind == FactorKind::kBlockDim;
}

// The largest value of what differs between threads, the least being 0; a number where it is the
// same for all. Nothing where no number bounds it.
std::optional<std::uint64_t> MostOf(const Factor& factor, const AddressExpression& address,
                                    const BlockShape& block) {
  switch (factor.kind) {
    case FactorKind::kThreadIdx:
      return std::max(1U, SizeOf(block, factor.number)) - 1;
    case FactorKind::kBlockDim:
      return SizeOf(block, factor.number);
    case FactorKind::kLaneId:
      return kWarpSize - 1;
    case FactorKind::kBits:
      if (factor.number >= address.bits.size()) return std::nullopt;
      return address.bits[factor.number].mask;
    default:
      return std::nullopt;
  }
}

// Adds what the term's value can differ by. False: nothing bounds that.
bool AddReach(const Term& term, const AddressExpression& address, const BlockShape& block,
              Reach& reach) {
  if (std::ranges::all_of(term.factors, IsTheSameForAll)) return true;
  std::uint64_t most = Magnitude(term.coefficient);
  if (term.factors.size() == 1 && term.factors[0].kind == FactorKind::kRounds) {
    reach.each_round = Bytes(std::min(kMost, reach.each_round.count() + most));
    return true;
  }
  for (const Factor& factor : term.factors) {
    const std::optional<std::uint64_t> one = MostOf(factor, address, block);
    if (!one) return false;
    most = Times(most, *one);
  }
  reach.threads = Bytes(std::min(kMost, reach.threads.count() + most));
  return true;
}

}  // namespace

std::optional<Reach> ReachOfGrid(const AddressExpression& address, const BlockShape& block) {
  if (!IsExplained(address)) return std::nullopt;
  Reach reach;
  for (const Term& term : address.sum.terms) {
    if (!AddReach(term, address, block, reach)) return std::nullopt;
  }
  return reach;
}

}  // namespace coalcheck::address
