// SPDX-License-Identifier: Apache-2.0
//
// Sums are kept once each, so that equal values have equal numbers.
#include "libcoalcheck/address/unknowns.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace coalcheck::address {

Unknowns::Unknowns() : forms_(1), sets_(1) {
  form_ids_.emplace(Terms(), kNoForm);
  set_ids_.emplace(std::vector<Origin>(), Origins{0});
}

Form Unknowns::Intern(Terms terms, Origins origins) {
  if (terms.size() == 1 && terms[0].coefficient == 1) return symbol_forms_[terms[0].symbol];
  const auto [entry, is_new] = form_ids_.try_emplace(terms, static_cast<Form>(forms_.size()));
  if (is_new) forms_.push_back({std::move(terms), origins});
  return entry->second;
}

Form Unknowns::Symbol(const Key& key, Origins origins) {
  const auto next = static_cast<Form>(forms_.size());
  const auto [entry, is_new] = symbols_.try_emplace(key, next);
  if (!is_new) return entry->second;
  forms_.push_back({{{static_cast<std::uint32_t>(symbol_forms_.size()), 1}}, origins});
  symbol_forms_.push_back(next);
  return next;
}

Form Unknowns::Add(Form a, Form b) {
  if (a == kNoForm) return b;
  if (b == kNoForm) return a;
  const std::pair<Form, Form> both = std::minmax(a, b);
  if (const auto known = sums_.find(both); known != sums_.end()) return known->second;
  Terms sum;
  auto left = forms_[a].terms.begin();
  auto right = forms_[b].terms.begin();
  const auto left_end = forms_[a].terms.end();
  const auto right_end = forms_[b].terms.end();
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
  const Origins origins = Join(forms_[a].origins, forms_[b].origins);
  const Form form = sum.size() > kMostTerms
                        ? Symbol({0, 0, {Value{0, both.first}, Value{0, both.second}}}, origins)
                        : Intern(std::move(sum), origins);
  sums_.emplace(both, form);
  return form;
}

Form Unknowns::Scale(Form form, std::uint64_t factor) {
  if (form == kNoForm || factor == 1) return form;
  const std::pair<Form, std::uint64_t> both(form, factor);
  if (const auto known = products_.find(both); known != products_.end()) return known->second;
  Terms product;
  for (const Term& term : forms_[form].terms) {
    const std::uint64_t coefficient = term.coefficient * factor;
    if (coefficient != 0) product.push_back({term.symbol, coefficient});
  }
  const Form result = Intern(std::move(product), forms_[form].origins);
  products_.emplace(both, result);
  return result;
}

Form Unknowns::Divide(Form form, std::uint64_t divisor) {
  Terms quotient = forms_[form].terms;
  for (Term& term : quotient) {
    term.coefficient = static_cast<std::uint64_t>(static_cast<std::int64_t>(term.coefficient) /
                                                  static_cast<std::int64_t>(divisor));
  }
  return Intern(std::move(quotient), forms_[form].origins);
}

unsigned Unknowns::TrailingZeros(Form form) const {
  unsigned zeros = 64;
  for (const Term& term : forms_[form].terms) {
    zeros = std::min(zeros, static_cast<unsigned>(std::countr_zero(term.coefficient)));
  }
  return zeros;
}

bool Unknowns::IsMultiple(Form form, std::uint64_t divisor) const {
  return std::ranges::all_of(forms_[form].terms, [&](const Term& term) {
    return static_cast<std::int64_t>(term.coefficient) % static_cast<std::int64_t>(divisor) == 0;
  });
}

Origins Unknowns::One(Origin origin) {
  const std::vector<Origin> set{origin};
  const auto [entry, is_new] = set_ids_.try_emplace(set, static_cast<Origins>(sets_.size()));
  if (is_new) sets_.push_back(set);
  return entry->second;
}

Origins Unknowns::Join(Origins a, Origins b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const std::pair<Origins, Origins> both = std::minmax(a, b);
  if (const auto known = joined_.find(both); known != joined_.end()) return known->second;
  std::vector<Origin> set;
  std::ranges::set_union(sets_[a], sets_[b], std::back_inserter(set));
  if (set.size() > kMostOrigins) set.resize(kMostOrigins);
  const auto [entry, is_new] = set_ids_.try_emplace(set, static_cast<Origins>(sets_.size()));
  if (is_new) sets_.push_back(set);
  joined_.emplace(both, entry->second);
  return entry->second;
}

}  // namespace coalcheck::address
