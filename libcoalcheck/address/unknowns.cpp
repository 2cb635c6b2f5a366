// SPDX-License-Identifier: Apache-2.0
//
// Sums are kept once each, so that equal values have equal numbers.
#include "libcoalcheck/address/unknowns.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace coalcheck::address {

Unknowns::Unknowns() : forms_(1), sets_(1) {
  // As many as most warps have.
  constexpr std::size_t kUsual = 512;
  forms_.reserve(kUsual);
  symbols_.reserve(kUsual);
  form_ids_.emplace(Terms(), kNoForm);
  set_ids_.emplace(OriginSet(), Origins{0});
}

Form Unknowns::Intern(Terms terms, Origins origins) {
  if (terms.size() == 1 && terms[0].coefficient == 1) {
    const std::uint32_t symbol = terms[0].symbol;
    return symbol < kFirstOfLanes ? symbol_forms_[symbol] : symbol;
  }
  const auto [entry, is_new] = form_ids_.try_emplace(terms, static_cast<Form>(forms_.size()));
  if (is_new) forms_.push_back({std::move(terms), origins});
  return entry->second;
}

Form Unknowns::Symbol(const Key& key, Origins origins) {
  const auto next = static_cast<Form>(forms_.size());
  const auto [entry, is_new] = symbols_.try_emplace(key, next);
  if (!is_new) return entry->second;
  const Term once{static_cast<std::uint32_t>(symbol_forms_.size()), 1};
  forms_.push_back({Terms{once}, origins});
  symbol_forms_.push_back(next);
  return next;
}

Form Unknowns::LaneSymbols(Origins origins) {
  lane_origins_.push_back(origins);
  return kFirstOfLanes + static_cast<Form>(lane_origins_.size() - 1) * kWarpSize;
}

Form Unknowns::LaneSymbols(const Key& key, std::uint32_t of_lanes, Origins origins) {
  const auto [entry, is_new] = lane_symbols_.try_emplace({key, of_lanes});
  if (is_new) entry->second = LaneSymbols(origins);
  return entry->second;
}

bool Unknowns::NamesLane(Form form) const {
  Term own;
  return std::ranges::any_of(TermsOf(form, own),
                             [](const Term& term) { return term.symbol >= kFirstOfLanes; });
}

std::span<const Unknowns::Term> Unknowns::TermsOf(Form form, Term& own) const {
  if (form < kFirstOfLanes) return forms_[form].terms;
  own = {form, 1};
  return {&own, 1};
}

std::optional<Unknowns::Multiple> Unknowns::AsMultiple(Form form) const {
  if (form >= kFirstOfLanes || forms_[form].terms.size() != 1) return std::nullopt;
  return AsMultiple(forms_[form].terms.front());
}

std::optional<Unknowns::Multiple> Unknowns::AsMultiple(const Term& term) const {
  if (term.symbol >= kFirstOfLanes) return std::nullopt;
  return Multiple{symbol_forms_[term.symbol], static_cast<std::int64_t>(term.coefficient)};
}

Unknowns::Multiples Unknowns::MultiplesOf(Form form) const {
  Multiples all;
  if (form >= kFirstOfLanes || forms_[form].terms.size() > kMostMultiples) return all;
  for (const Term& term : forms_[form].terms) {
    const std::optional<Multiple> one = AsMultiple(term);
    if (!one) return {};
    all.push_back(*one);
  }
  return all;
}

Form Unknowns::Add(Form a, Form b) {
  if (a == kNoForm) return b;
  if (b == kNoForm) return a;
  const std::pair<Form, Form> both = std::minmax(a, b);
  if (const auto known = sums_.find(both); known != sums_.end()) return known->second;
  Terms sum;
  Term own_a;
  Term own_b;
  const std::span<const Term> of_a = TermsOf(a, own_a);
  const std::span<const Term> of_b = TermsOf(b, own_b);
  auto left = of_a.begin();
  auto right = of_b.begin();
  const auto left_end = of_a.end();
  const auto right_end = of_b.end();
  while (left != left_end || right != right_end) {
    if (right == right_end || (left != left_end && left->symbol < right->symbol)) {
      sum.push_back(*left++);
    } else if (left == left_end || right->symbol < left->symbol) {
      sum.push_back(*right++);
    } else {
      const std::uint64_t coefficient = left->coefficient + right->coefficient;
      if (coefficient != 0) sum.push_back({left->symbol, coefficient});
      ++left;
      ++right;
    }
  }
  const Origins origins = Join(OriginsOf(a), OriginsOf(b));
  const Form form =
      sum.size() > kMostTerms
          ? Symbol({Of::kSum, 0, 0, {Value{0, both.first}, Value{0, both.second}}}, origins)
          : Intern(std::move(sum), origins);
  sums_.emplace(both, form);
  return form;
}

Form Unknowns::Scale(Form form, std::uint64_t factor) {
  if (form == kNoForm || factor == 1) return form;
  const std::pair<Form, std::uint64_t> both(form, factor);
  if (const auto known = products_.find(both); known != products_.end()) return known->second;
  Terms product;
  Term own;
  for (const Term& term : TermsOf(form, own)) {
    const std::uint64_t coefficient = term.coefficient * factor;
    if (coefficient != 0) product.push_back({term.symbol, coefficient});
  }
  const Form result = Intern(std::move(product), OriginsOf(form));
  products_.emplace(both, result);
  return result;
}

Form Unknowns::Divide(Form form, std::uint64_t divisor) {
  Term own;
  const std::span<const Term> terms = TermsOf(form, own);
  Terms quotient(terms.begin(), terms.end());
  for (Term& term : quotient) {
    term.coefficient = static_cast<std::uint64_t>(static_cast<std::int64_t>(term.coefficient) /
                                                  static_cast<std::int64_t>(divisor));
  }
  return Intern(std::move(quotient), OriginsOf(form));
}

unsigned Unknowns::TrailingZeros(Form form) const {
  unsigned zeros = 64;
  Term own;
  for (const Term& term : TermsOf(form, own)) {
    zeros = std::min(zeros, static_cast<unsigned>(std::countr_zero(term.coefficient)));
  }
  return zeros;
}

bool Unknowns::IsMultiple(Form form, std::uint64_t divisor) const {
  Term own;
  return std::ranges::all_of(TermsOf(form, own), [&](const Term& term) {
    return static_cast<std::int64_t>(term.coefficient) % static_cast<std::int64_t>(divisor) == 0;
  });
}

Origins Unknowns::One(Origin origin) {
  const OriginSet set{origin};
  const auto [entry, is_new] = set_ids_.try_emplace(set, static_cast<Origins>(sets_.size()));
  if (is_new) sets_.push_back(set);
  return entry->second;
}

Origins Unknowns::Join(Origins a, Origins b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const std::pair<Origins, Origins> both = std::minmax(a, b);
  if (const auto known = joined_.find(both); known != joined_.end()) return known->second;
  OriginSet set;
  std::ranges::set_union(sets_[a], sets_[b], std::back_inserter(set));
  if (set.size() > kMostOrigins) set.resize(kMostOrigins);
  const auto [entry, is_new] = set_ids_.try_emplace(set, static_cast<Origins>(sets_.size()));
  if (is_new) sets_.push_back(set);
  joined_.emplace(both, entry->second);
  return entry->second;
}

}  // namespace coalcheck::address
