// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of one argument with a number, and what joins them.
#include "libcoalcheck/address/conditions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "libcoalcheck/address/compute.h"

namespace coalcheck::address {
namespace {

using ptx::Combine;
using ptx::Compare;
using ptx::Op;

constexpr int kDeepestCondition = 8;
constexpr std::size_t kConditionsKept = 1U << 15U;
constexpr std::size_t kBoundsKept = 1U << 14U;
constexpr std::uint32_t kLongestChain = 64;
constexpr int kDeepestProduct = 4;          // of products
constexpr std::uint64_t kLooksOfStep = 64;  // take about as long
constexpr std::uint64_t kLooksOfCondition = 8;

std::optional<Compare> Opposite(Compare compare) {
  switch (compare) {
    case Compare::kEq:
      return Compare::kNe;
    case Compare::kNe:
      return Compare::kEq;
    case Compare::kLt:
      return Compare::kGe;
    case Compare::kLe:
      return Compare::kGt;
    case Compare::kGt:
      return Compare::kLe;
    case Compare::kGe:
      return Compare::kLt;
    default:
      return std::nullopt;
  }
}

// The same with its sides exchanged.
Compare Mirrored(Compare compare) {
  switch (compare) {
    case Compare::kLt:
      return Compare::kGt;
    case Compare::kLe:
      return Compare::kGe;
    case Compare::kGt:
      return Compare::kLt;
    case Compare::kGe:
      return Compare::kLe;
    default:
      return compare;
  }
}

std::int64_t RoundedUp(std::int64_t value, std::int64_t divisor) {
  return value / divisor + (value % divisor > 0 ? 1 : 0);
}

}  // namespace

void Conditions::Charge(std::uint64_t looks) {
  looks_ += looks;
  steps_ -= std::min(steps_, looks_ / kLooksOfStep);
  looks_ %= kLooksOfStep;
}

std::int64_t Conditions::LeastOf(const Bound* bounds, Form symbol, int depth) const {
  std::int64_t least = 0;
  for (const Bound* one = bounds; one != nullptr; one = one->outer) {
    if (one->symbol == symbol) least = std::max(least, one->least);
  }
  const auto product = products_.find(symbol);
  if (product == products_.end() || depth == kDeepestProduct) return least;
  std::int64_t of_factors = 0;
  const bool is_too_large =
      __builtin_mul_overflow(LeastOf(bounds, product->second.first, depth + 1),
                             LeastOf(bounds, product->second.second, depth + 1), &of_factors);
  return is_too_large ? least : std::max(least, of_factors);
}

Form Conditions::ProductOf(Form a, Form b) {
  const auto [first, second] = std::minmax(a, b);
  const Form product =
      unknowns_.Symbol({Unknowns::Of::kProduct, 0, 0, {Value{0, first}, Value{0, second}}},
                       unknowns_.Join(unknowns_.OriginsOf(a), unknowns_.OriginsOf(b)));
  if (products_.size() < kConditionsKept) products_.try_emplace(product, first, second);
  return product;
}

bool Conditions::IsOfLaunch(Form form) const {
  return std::ranges::all_of(unknowns_.List(unknowns_.OriginsOf(form)), [](const Origin& origin) {
    return origin.kind == Origin::Kind::kParameter;
  });
}

void Conditions::Note(Form predicate, const ptx::Opcode& code,
                      const std::array<Value, 4>& sources) {
  const bool is_comparison = code.op == Op::kSetp && code.type.IsInteger();
  const bool joins = code.type.kind == ptx::Type::Kind::kPredicate &&
                     (code.op == Op::kAnd || code.op == Op::kOr || code.op == Op::kNot);
  if ((!is_comparison && !joins) || conditions_.size() >= kConditionsKept) return;
  const bool is_of_launch = std::ranges::any_of(sources, [&](const Value& source) {
    return source.form != kNoForm &&
           (joins ? conditions_.contains(source.form) : IsOfLaunch(source.form));
  });
  if (is_of_launch) conditions_.try_emplace(predicate, Condition{code, sources});
}

bool Conditions::LetsNeighboursThrough(const LaneValues& predicate, LaneMask lanes, bool holds) {
  OfLanes predicates;
  EachLane(lanes, [&](std::uint32_t lane) { predicates.push_back(predicate.At(lane)); });
  return LetsThrough(predicates, holds, 0);
}

bool Conditions::LetsThrough(const OfLanes& predicates, bool holds, int depth) {
  Charge(kLooksOfCondition * predicates.size());
  std::vector<const Condition*> all;
  for (const Value& one : predicates) {
    const auto found = conditions_.find(one.form);
    const bool is_like = found != conditions_.end() && one.bits == predicates.front().bits &&
                         (all.empty() || found->second.code == all.front()->code);
    if (!is_like || depth > kDeepestCondition) return true;
    all.push_back(&found->second);
  }
  const ptx::Opcode& code = all.front()->code;
  if ((predicates.front().bits & 1U) != 0) holds = !holds;
  const auto part = [&](std::size_t source, bool part_holds) {
    OfLanes parts;
    for (const Condition* one : all) parts.push_back(one->sources[source]);
    return LetsThrough(parts, part_holds, depth + 1);
  };
  if (code.op == Op::kNot) return part(0, !holds);
  const bool compares = code.op == Op::kSetp;
  const bool first = compares ? ComparisonLetsThrough(all, holds) : part(0, holds);
  if (compares && code.combine == Combine::kNone) return first;
  const bool second = part(compares ? 2 : 1, holds);
  const bool is_and = compares ? code.combine != Combine::kOr : code.op == Op::kAnd;
  return is_and == holds ? first && second : first || second;
}

bool Conditions::ComparisonLetsThrough(const std::vector<const Condition*>& lanes, bool holds) {
  const std::array<Value, 4>& first = lanes.front()->sources;
  const bool are_alike = std::ranges::all_of(lanes, [&](const Condition* one) {
    return one->sources[0] == first[0] && one->sources[1] == first[1];
  });
  const Compare compare = lanes.front()->code.compare;
  const bool is_of_bound = compare != Compare::kEq && compare != Compare::kNe;
  if (are_alike || is_of_bound) return true;
  if ((compare == Compare::kEq) == holds) return false;
  // The sides are equal in one lane at most where they differ by another number in each.
  std::set<std::uint64_t> differences;
  return std::ranges::all_of(lanes, [&](const Condition* one) {
    const auto& [left, right, rest, more] = one->sources;
    return left.form == first[0].form && right.form == first[1].form &&
           differences.insert(left.bits - right.bits).second;
  });
}

const Bound* Conditions::With(const Bound* bounds, const LaneValues& predicate, LaneMask lanes,
                              bool holds) {
  if (conditions_.empty()) return bounds;
  Value before;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value value = predicate.At(lane);
    if (value.form != kNoForm && !(value == before)) bounds = WithOne(bounds, value, holds, 0);
    before = value;
  });
  return bounds;
}

const Bound* Conditions::WithOne(const Bound* bounds, Value predicate, bool holds, int depth) {
  const auto found = conditions_.find(predicate.form);
  if (found == conditions_.end() || depth > kDeepestCondition) return bounds;
  const Condition& condition = found->second;
  Charge(kLooksOfCondition + (bounds == nullptr ? 0 : bounds->length));
  if ((predicate.bits & 1U) != 0) holds = !holds;
  if (condition.code.op == Op::kSetp) {
    const Combine combine = condition.code.combine;
    const bool both = combine == Combine::kNone || (combine == Combine::kAnd && holds) ||
                      (combine == Combine::kOr && !holds);
    if (!both) return bounds;
    bounds = WithComparison(bounds, condition, holds);
    return combine == Combine::kNone ? bounds
                                     : WithOne(bounds, condition.sources[2], holds, depth + 1);
  }
  if (condition.code.op == Op::kNot) {
    return WithOne(bounds, condition.sources[0], !holds, depth + 1);
  }
  if ((condition.code.op == Op::kAnd) != holds) return bounds;  // one of both, and which?
  bounds = WithOne(bounds, condition.sources[0], holds, depth + 1);
  return WithOne(bounds, condition.sources[1], holds, depth + 1);
}

const Bound* Conditions::WithComparison(const Bound* bounds, const Condition& condition,
                                        bool holds) {
  Value of_launch = condition.sources[0];
  Value number = condition.sources[1];
  std::optional<Compare> compare = condition.code.compare;
  if (!holds) compare = Opposite(*compare);
  if (of_launch.form == kNoForm) {
    std::swap(of_launch, number);
    if (compare) compare = Mirrored(*compare);
  }
  const std::optional<Unknowns::Multiple> multiple = unknowns_.AsMultiple(of_launch.form);
  if (!compare || number.form != kNoForm || !multiple || !IsOfLaunch(of_launch.form)) return bounds;
  const unsigned bytes = condition.code.type.bytes;
  std::int64_t factor = multiple->factor;
  std::int64_t right = 0;  // factor * symbol, compared with it
  if (__builtin_sub_overflow(static_cast<std::int64_t>(SignExtend(number.bits, bytes)),
                             static_cast<std::int64_t>(SignExtend(of_launch.bits, bytes)),
                             &right)) {
    return bounds;
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  if (factor < -kMost || factor > kMost || right < -kMost || right > kMost) return bounds;
  if (factor < 0) {
    factor = -factor;
    right = -right;
    compare = Mirrored(*compare);
  }
  const std::int64_t known = LeastOf(bounds, multiple->symbol);
  std::int64_t least = 0;
  if (*compare == Compare::kGt) least = RoundedUp(right + 1, factor);
  if (*compare == Compare::kGe || *compare == Compare::kEq) least = RoundedUp(right, factor);
  if (*compare == Compare::kNe && known * factor == right) least = known + 1;
  if (least <= known || bounds_.size() >= kBoundsKept) return bounds;
  // What was known of the symbol before follows from this.
  if (bounds != nullptr && bounds->symbol == multiple->symbol) bounds = bounds->outer;
  const std::uint32_t length = bounds == nullptr ? 1 : bounds->length + 1;
  if (length > kLongestChain) return bounds;
  return &bounds_.emplace_back(Bound{bounds, multiple->symbol, least, length});
}

}  // namespace coalcheck::address
