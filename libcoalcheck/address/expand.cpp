// SPDX-License-Identifier: Apache-2.0
//
// Takes 32-bit arithmetic as free of overflow, joins the halves of 64-bit numbers, and names what
// is left.
#include "libcoalcheck/address/expand.h"

#include <algorithm>
#include <limits>
#include <map>

namespace coalcheck::address {
namespace {

constexpr std::size_t kMostBits = 16;

class Expander {
 public:
  Expander(Analysis& analysis, const FunctionCode& code, const Parameters& parameters,
           std::uint32_t n)
      : analysis_(analysis), code_(code), parameters_(parameters), block_(code.BlockOf(n)) {}

  AddressExpression Run(const Polynomial& address) {
    AddressExpression result;
    const Polynomial plain = JoinHalves(Plain(address, 0));
    const Sum sum = ToSum(plain, result, 0);
    const Variance variance = failed_ ? Variance::kUnknown : worst_;
    if (variance == Variance::kUnknown) {
      std::vector<std::uint32_t> loads;
      analysis_.AddLoads(address, loads);
      for (const std::uint32_t load : loads) result.loads.push_back(PcOf(load));
      const bool explained = !loads.empty() && !failed_ && !scrambled_;
      result.lanes = explained ? LaneDependence::kLoaded : LaneDependence::kNotKnown;
    } else {
      result.lanes = variance == Variance::kSame ? LaneDependence::kNone : LaneDependence::kIndex;
      result.in_rows = in_rows_;
    }
    if (failed_) {
      result.bits.clear();
    } else {
      result.sum = sum;
    }
    return result;
  }

 private:
  static PcOffset PcOf(std::uint32_t n) {
    return PcOffset(static_cast<std::uint32_t>(n * sizeof(machine_code::Word)));
  }

  // `value` without extensions: each is replaced by the sum that it extends. One that cannot be is
  // left standing.
  Polynomial Plain(const Polynomial& value, int depth) {
    Polynomial result;
    for (const auto& [monomial, coefficient] : value.terms()) {
      Polynomial product;
      product.Add(Monomial(), coefficient);
      bool given_up = false;
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const auto next = Polynomial::Product(product, PlainAtom(monomial.atom(i), depth));
        given_up = given_up || !next;
        if (next) product = *next;
      }
      if (given_up) {
        result.Add(monomial, coefficient);
      } else {
        result.Add(product);
      }
    }
    if (result.too_long()) failed_ = true;
    return result;
  }

  Polynomial PlainAtom(AtomId id, int depth) {
    const Atom atom = analysis_.atoms()[id];
    const bool zero = atom.kind == AtomKind::kZeroExtended;
    if (!zero && atom.kind != AtomKind::kSignExtended) return Polynomial::Of(id);
    const Polynomial value = analysis_.atoms().PlainValue(atom.inner);
    // A number whose high half went elsewhere is longer than what is extended here.
    const bool cut = zero && analysis_.atoms().WasCutFrom(id);
    if (depth > 8 || cut || Overflows(value)) return Polynomial::Of(id);
    return Plain(value, depth + 1);
  }

  // Whether a thread index is multiplied by so much that arithmetic in 32 bits wraps around.
  bool Overflows(const Polynomial& value) const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    for (const auto& [monomial, coefficient] : value.terms()) {
      Polynomial term;
      if (monomial.degree() == 0) continue;
      term.Add(monomial, coefficient);
      const auto number = static_cast<std::int64_t>(coefficient);
      if (number > (kMost >> 5U) || number < -(kMost >> 5U)) return true;
      bool is_small = true;
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        is_small = is_small && analysis_.atoms()[monomial.atom(i)].most <= 1024;
      }
      const auto range = is_small ? analysis_.atoms().RangeOf(term) : std::nullopt;
      if (range && (range->most > kMost || range->least < -kMost)) return true;
    }
    return false;
  }

  // c·low + c·2^32·high becomes c·pair.
  Polynomial JoinHalves(const Polynomial& value) {
    Polynomial result = value;
    for (const auto& [monomial, coefficient] : value.terms()) {
      if (coefficient % kWordUnit != 0) continue;
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const Atom high = analysis_.atoms()[monomial.atom(i)];
        const bool constant = high.kind == AtomKind::kConstant;
        if (!constant && high.kind != AtomKind::kLoaded) continue;
        const std::uint32_t step = constant ? 4 : 1;
        if (high.b < step) continue;
        const AtomId low = analysis_.atoms().Intern(high.kind, high.a, high.b - step);
        const AtomId pair = analysis_.atoms().Intern(
            constant ? AtomKind::kConstantPair : AtomKind::kLoadedPair, high.a, high.b - step);
        const auto rest = monomial.Without(monomial.atom(i));
        const auto low_term = Monomial::Product(rest, Monomial(low));
        const auto pair_term = Monomial::Product(rest, Monomial(pair));
        const std::uint64_t factor = coefficient / kWordUnit;
        const auto signed_factor = static_cast<std::uint64_t>(
            std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(factor))});
        const auto found =
            std::find_if(result.terms().begin(), result.terms().end(),
                         [&](const Polynomial::Term& term) { return term.first == *low_term; });
        if (found == result.terms().end() || found->second != signed_factor) continue;
        result.Add(monomial, ~coefficient + 1);
        result.Add(*low_term, ~signed_factor + 1);
        result.Add(*pair_term, signed_factor);
        break;
      }
    }
    return result;
  }

  Sum ToSum(const Polynomial& value, AddressExpression& into, int depth) {
    Sum sum;
    for (const auto& [monomial, coefficient] : value.terms()) {
      if (monomial.degree() == 0) {
        sum.constant = static_cast<std::int64_t>(coefficient);
        continue;
      }
      Term term;
      term.coefficient = static_cast<std::int64_t>(coefficient);
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        term.factors.push_back(ToFactor(monomial.atom(i), into, depth));
      }
      // Half a number that differs between lanes, or one with an unknown factor beside it.
      const bool half = coefficient % kWordUnit == 0;
      if (half && TermVariance(monomial) != Variance::kSame) failed_ = true;
      sum.terms.push_back(std::move(term));
    }
    return sum;
  }

  Variance TermVariance(const Monomial& monomial) {
    Polynomial term;
    term.Add(monomial, 1);
    return analysis_.VarianceOf(term, block_);
  }

  Factor Named(FactorKind kind, std::uint32_t number) { return {kind, number, 0, {}}; }

  Factor ToFactor(AtomId id, AddressExpression& into, int depth) {
    const Atom atom = analysis_.atoms()[id];
    const Variance variance = analysis_.VarianceOf(Polynomial::Of(id), block_);
    const bool loaded = atom.kind == AtomKind::kLoaded || atom.kind == AtomKind::kLoadedPair;
    worst_ = std::max(worst_, variance);
    if (variance == Variance::kInRows) {
      in_rows_ = true;
      return Named(FactorKind::kRow, id);
    }
    if (variance == Variance::kUnknown && !loaded) scrambled_ = scrambled_ || !DependsOnLoads(id);
    switch (atom.kind) {
      case AtomKind::kSpecial:
        return SpecialFactor(atom.a);
      case AtomKind::kConstant:
      case AtomKind::kConstantPair: {
        const auto place = parameters_.Find(atom.a, atom.b);
        if (place) return {FactorKind::kParameter, place->number, place->byte, {}};
        return {FactorKind::kConstant, atom.a, atom.b, {}};
      }
      case AtomKind::kIteration:
        if (variance != Variance::kSame) return Named(FactorKind::kUnknown, id);
        return {FactorKind::kRounds, 0, 0, PcOf(code_.blocks()[atom.a].begin)};
      case AtomKind::kLoaded:
      case AtomKind::kLoadedPair:
        return {FactorKind::kLoaded, 0, 4 * atom.b, PcOf(atom.a)};
      case AtomKind::kAnd:
      case AtomKind::kShiftRight:
        return BitsFactor(id, atom, variance, into, depth);
      case AtomKind::kMerged:
      case AtomKind::kChosen:
        if (atom.c >= kMergedOfRun) return Named(FactorKind::kOfRun, id);
        [[fallthrough]];
      default:
        if (variance == Variance::kKnown) failed_ = true;
        return Named(variance == Variance::kSame ? FactorKind::kUniform : FactorKind::kUnknown, id);
    }
  }

  bool DependsOnLoads(AtomId id) {
    std::vector<std::uint32_t> loads;
    analysis_.AddLoads(Polynomial::Of(id), loads);
    return !loads.empty();
  }

  Factor SpecialFactor(std::uint32_t number) {
    if (number == kLaneId) return Named(FactorKind::kLaneId, 0);
    if (number >= kGridSizeX) return Named(FactorKind::kGridDim, number - kGridSizeX);
    if (number >= kBlockSizeX) return Named(FactorKind::kBlockDim, number - kBlockSizeX);
    if (number >= kBlockX) return Named(FactorKind::kBlockIdx, number - kBlockX);
    return Named(FactorKind::kThreadIdx, number - kThreadX);
  }

  Factor BitsFactor(AtomId id, const Atom& atom, Variance variance, AddressExpression& into,
                    int depth) {
    const FactorKind opaque =
        variance == Variance::kSame ? FactorKind::kUniform : FactorKind::kUnknown;
    const Polynomial value = analysis_.atoms().PlainValue(atom.inner);
    if (depth > 3 || into.bits.size() >= kMostBits) {
      if (variance == Variance::kKnown) failed_ = true;
      return Named(opaque, id);
    }
    if (const auto known = bits_.find(id); known != bits_.end()) {
      return Named(FactorKind::kBits, known->second);
    }
    Bits bits;
    bits.of = ToSum(Plain(value, 0), into, depth + 1);
    (atom.kind == AtomKind::kAnd ? bits.mask : bits.shifted_right) = atom.a;
    const auto number = static_cast<std::uint32_t>(into.bits.size());
    into.bits.push_back(std::move(bits));
    bits_[id] = number;
    return Named(FactorKind::kBits, number);
  }

  Analysis& analysis_;
  const FunctionCode& code_;
  const Parameters& parameters_;
  std::uint32_t block_;
  std::map<AtomId, std::uint32_t> bits_;
  Variance worst_ = Variance::kSame;
  bool in_rows_ = false;
  bool failed_ = false;
  bool scrambled_ = false;  // something differs between lanes in a way nobody knows
};

}  // namespace

AddressExpression Expand(Analysis& analysis, const FunctionCode& code, const Parameters& parameters,
                         const Polynomial& address, std::uint32_t n) {
  return Expander(analysis, code, parameters, n).Run(address);
}

}  // namespace coalcheck::address
