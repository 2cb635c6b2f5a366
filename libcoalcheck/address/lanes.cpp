// SPDX-License-Identifier: Apache-2.0
//
// What an address expression says of neighbouring lanes, and of neighbouring accesses.
#include <algorithm>

#include "libcoalcheck/address/block_axis.h"
#include "libcoalcheck/address/expression.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {
namespace {

// A thread of a block, and the block's shape where it is known.
struct Thread {
  std::uint32_t index[3] = {0, 0, 0};
  std::uint32_t lane = 0;
  std::optional<BlockShape> block;
};

// Arithmetic on hostile expressions wraps.
std::int64_t Multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t Plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// Inserts `coefficient` times `factors`; equal products are one term.
void AddTerm(Sum& sum, std::int64_t coefficient, std::vector<Factor> factors) {
  if (coefficient == 0) return;
  if (factors.empty()) {
    sum.constant = Plus(sum.constant, coefficient);
    return;
  }
  const auto at = std::find_if(sum.terms.begin(), sum.terms.end(),
                               [&](const Term& term) { return term.factors == factors; });
  if (at == sum.terms.end()) {
    sum.terms.push_back({coefficient, std::move(factors)});
    return;
  }
  at->coefficient = Plus(at->coefficient, coefficient);
  if (at->coefficient == 0) sum.terms.erase(at);
}

// Puts the numbers of one thread into an expression.
class Filler {
 public:
  Filler(const AddressExpression& address, const Thread& thread)
      : address_(address), thread_(thread) {}

  // What is left are things that are the same for all lanes; empty when bits of a number are asked
  // for that is not known well enough.
  std::optional<Sum> Fill(const Sum& sum) const {
    Sum filled;
    filled.constant = sum.constant;
    for (const Term& term : sum.terms) {
      std::int64_t coefficient = term.coefficient;
      std::vector<Factor> rest;
      std::optional<Sum> expanded;  // of a factor that is itself a sum
      for (const Factor& factor : term.factors) {
        if (const auto number = NumberOf(factor)) {
          coefficient = Multiply(coefficient, *number);
        } else if (factor.kind != FactorKind::kBits) {
          rest.push_back(factor);
        } else if (expanded || !(expanded = FillBits(factor))) {
          return std::nullopt;
        }
      }
      if (!expanded) {
        AddTerm(filled, coefficient, std::move(rest));
        continue;
      }
      AddTerm(filled, Multiply(coefficient, expanded->constant), rest);
      for (const Term& inner : expanded->terms) {
        std::vector<Factor> factors = rest;
        factors.insert(factors.end(), inner.factors.begin(), inner.factors.end());
        AddTerm(filled, Multiply(coefficient, inner.coefficient), std::move(factors));
      }
    }
    return filled;
  }

 private:
  std::optional<std::int64_t> NumberOf(const Factor& factor) const {
    switch (factor.kind) {
      case FactorKind::kThreadIdx:
        return thread_.index[factor.number % 3];
      case FactorKind::kLaneId:
        return thread_.lane;
      case FactorKind::kBlockDim:
        if (!thread_.block) return std::nullopt;
        return SizeOf(*thread_.block, factor.number % 3);
      default:
        return std::nullopt;
    }
  }

  // Unknown parts that are multiples of a power of two above the mask do not touch the bits kept;
  // shifted right by no more than that power they stay sums.
  std::optional<Sum> FillBits(const Factor& factor) const {
    if (factor.number >= address_.bits.size()) return std::nullopt;
    const Bits& bits = address_.bits[factor.number];
    const std::optional<Sum> inside = Nested(bits.of);
    if (!inside) return std::nullopt;
    const auto low = static_cast<std::uint32_t>(inside->constant);
    Sum result;
    if (inside->terms.empty()) {
      result.constant = std::int64_t{(low >> (bits.shifted_right & 31U)) & bits.mask};
      return result;
    }
    if (bits.shifted_right != 0) return std::nullopt;
    for (const Term& term : inside->terms) {
      const auto coefficient = static_cast<std::uint64_t>(term.coefficient);
      const std::uint64_t unit = coefficient & (~coefficient + 1);
      if (unit <= bits.mask) return std::nullopt;
    }
    result.constant = std::int64_t{low & bits.mask};
    return result;
  }

  // Bits of bits are at most a few deep, each naming an earlier... or hostile.
  std::optional<Sum> Nested(const Sum& sum) const {
    if (depth_ >= 4) return std::nullopt;
    Filler inner(address_, thread_);
    inner.depth_ = depth_ + 1;
    return inner.Fill(sum);
  }

  const AddressExpression& address_;
  const Thread& thread_;
  int depth_ = 0;
};

std::optional<Sum> AddressAt(const AddressExpression& address, const Thread& thread) {
  return Filler(address, thread).Fill(address.sum);
}

// b - a.
Sum Difference(const Sum& a, const Sum& b) {
  Sum difference = b;
  difference.constant = Plus(b.constant, Multiply(a.constant, -1));
  for (const Term& term : a.terms) {
    AddTerm(difference, Multiply(term.coefficient, -1), term.factors);
  }
  return difference;
}

}  // namespace

bool IsExplained(const AddressExpression& address) {
  return address.lanes == LaneDependence::kNone || address.lanes == LaneDependence::kIndex;
}

std::optional<LaneStep> StepInX(const AddressExpression& address) {
  if (!IsExplained(address)) return std::nullopt;
  LaneStep result;
  if (address.lanes == LaneDependence::kNone) {
    result.bytes = 0;
    return result;
  }
  // Without bits the address is a polynomial in x, of at most four factors: few values tell. Bits
  // may be those of an index divided by a constant, which differ in one warp and not in another.
  const std::uint32_t threads = address.bits.empty() ? 6 : kWarpSize;
  struct Row {
    std::uint32_t x, y, z;
  };
  std::optional<Sum> step;
  for (const Row row :
       {Row{0, 0, 0}, Row{0, 1, 1}, Row{0, 7, 0}, Row{32, 0, 0}, Row{64, 2, 1}, Row{96, 0, 0}}) {
    std::optional<Sum> before;
    for (std::uint32_t x = row.x; x < row.x + threads; ++x) {
      const Thread thread{{x, row.y, row.z}, x % kWarpSize, std::nullopt};
      const std::optional<Sum> at = AddressAt(address, thread);
      if (!at) return std::nullopt;
      if (before) {
        const Sum now = Difference(*before, *at);
        if (step && !(*step == now)) return std::nullopt;
        step = now;
      }
      before = at;
    }
  }
  if (step->terms.empty()) result.bytes = step->constant;
  result.sum = *step;
  return result;
}

std::optional<std::vector<std::int64_t>> LaneOffsets(const AddressExpression& address,
                                                     const BlockShape& block, std::uint32_t warp) {
  if (!IsExplained(address) || address.in_rows) return std::nullopt;
  if (block.x == 0 || block.y == 0 || block.z == 0) return std::nullopt;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  std::vector<std::int64_t> offsets;
  std::optional<Sum> first;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t id = std::uint64_t{warp} * kWarpSize + lane;
    if (id >= threads) break;
    const Thread thread{{static_cast<std::uint32_t>(id % block.x),
                         static_cast<std::uint32_t>(id / block.x % block.y),
                         static_cast<std::uint32_t>(id / block.x / block.y)},
                        lane,
                        block};
    const std::optional<Sum> at = AddressAt(address, thread);
    if (!at) return std::nullopt;
    if (!first) first = at;
    const Sum difference = Difference(*first, *at);
    if (!difference.terms.empty()) return std::nullopt;
    offsets.push_back(difference.constant);
  }
  return offsets;
}

std::optional<std::int64_t> ConstantDistance(const AddressExpression& a,
                                             const AddressExpression& b) {
  if (a.lanes == LaneDependence::kNotKnown || b.lanes == LaneDependence::kNotKnown) {
    return std::nullopt;
  }
  const auto has_bits = [](const AddressExpression& address) { return !address.bits.empty(); };
  // Bits are named by their number in one expression.
  if ((has_bits(a) || has_bits(b)) && !(a.bits == b.bits)) return std::nullopt;
  const Sum difference = Difference(a.sum, b.sum);
  if (!difference.terms.empty()) return std::nullopt;
  return difference.constant;
}

}  // namespace coalcheck::address
