// SPDX-License-Identifier: Apache-2.0
//
// Small sets of numbers: each atom of a function has one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "libcoalcheck/address/formula.h"

namespace coalcheck::address {

// Different numbers, ascending, up to a bound.
class FewNumbers {
 public:
  static constexpr std::size_t kMost = 32;

  // Whether any of them is new.
  bool Add(const FewNumbers& others) {
    are_too_many_ = are_too_many_ || others.are_too_many_;
    return !std::ranges::includes(numbers_, others.numbers_) && Unite(others.numbers_);
  }
  bool Add(std::uint32_t number) {
    return !std::ranges::binary_search(numbers_, number) && Unite({number});
  }

  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  // Some are left out.
  bool are_too_many() const { return are_too_many_; }

 private:
  bool Unite(const std::vector<std::uint32_t>& others) {
    std::vector<std::uint32_t> all;
    std::ranges::set_union(numbers_, others, std::back_inserter(all));
    if (all.size() > kMost) {
      are_too_many_ = true;
      all.resize(kMost);
    }
    const bool is_new = all != numbers_;
    numbers_ = std::move(all);
    return is_new;
  }

  std::vector<std::uint32_t> numbers_;
  bool are_too_many_ = false;
};

// The union of the sets of all atoms in a formula.
inline FewNumbers UnionOver(const Formula& formula, const std::vector<FewNumbers>& by_atom) {
  FewNumbers all;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) all.Add(by_atom[monomial.atom(i)]);
  }
  return all;
}

}  // namespace coalcheck::address
