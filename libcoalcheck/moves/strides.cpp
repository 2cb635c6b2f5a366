// SPDX-License-Identifier: Apache-2.0
//
// Reads them out of the formulas of addresses.
#include "libcoalcheck/moves/strides.h"

#include <algorithm>
#include <iterator>

#include "libcoalcheck/address/launch_numbers.h"

namespace coalcheck::moves {
namespace {

constexpr std::size_t kMostStrides = 4;
constexpr int kDeepest = 6;  // that formulas in formulas are looked at

class Divisors {
 public:
  Divisors(const Subject& subject, std::uint64_t places) : subject_(subject), places_(places) {}

  std::set<std::uint64_t> Find() const {
    std::set<std::uint64_t> divisors;
    for (const auto& [instruction, counted] : subject_.counted) {
      const address::Formula* formula = subject_.formulas.Of(instruction);
      if (formula != nullptr) AddDivisors(*formula, divisors, 0);
    }
    return divisors;
  }

 private:
  // Whether a thread's place in its block or a block's in the grid stands in it.
  bool NamesThreads(const address::Formula& formula, int depth) const {
    if (depth > kDeepest) return false;
    return std::ranges::any_of(formula.terms(), [&](const auto& term) {
      const auto& [monomial, coefficient] = term;
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const address::FormulaAtom& atom = subject_.formulas.atoms()[monomial.atom(i)];
        if (atom.kind == address::FormulaKind::kLoaded) continue;  // whatever it is loaded from
        const bool is_special = atom.kind == address::FormulaKind::kSpecial;
        const auto special = static_cast<ptx::Special>(atom.a);
        const bool is_place = special <= ptx::Special::kTidZ || (special >= ptx::Special::kCtaidX &&
                                                                 special <= ptx::Special::kCtaidZ);
        if (is_special && is_place) return true;
        for (const address::Formula& argument : atom.arguments) {
          if (NamesThreads(argument, depth + 1)) return true;
        }
      }
      return false;
    });
  }

  // How many threads share a quotient: n / a / b is the same for a times b. 0: not known.
  std::uint64_t DividedBy(const address::FormulaAtom& atom) const {
    std::uint64_t threads = 1;
    const address::FormulaAtom* inner = &atom;
    for (int depth = 0; inner != nullptr && depth < kDeepest; ++depth) {
      const auto divisor =
          address::NumberOf(subject_.formulas, inner->arguments[1], subject_.launch);
      if (!divisor || *divisor <= 0 || threads > places_) return 0;
      threads *= static_cast<std::uint64_t>(*divisor);
      inner = QuotientIn(inner->arguments[0]);
    }
    return threads;
  }

  // Null where it is anything but a quotient.
  const address::FormulaAtom* QuotientIn(const address::Formula& formula) const {
    if (formula.terms().size() != 1) return nullptr;
    const auto& [monomial, coefficient] = *formula.terms().begin();
    if (monomial.degree() != 1 || coefficient != 1) return nullptr;
    const address::FormulaAtom& atom = subject_.formulas.atoms()[monomial.atom(0)];
    return atom.kind == address::FormulaKind::kQuotient ? &atom : nullptr;
  }

  void AddDivisors(const address::Formula& formula, std::set<std::uint64_t>& divisors,
                   int depth) const {
    if (depth > kDeepest) return;
    for (const auto& [monomial, coefficient] : formula.terms()) {
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const address::FormulaAtom& atom = subject_.formulas.atoms()[monomial.atom(i)];
        const bool divides = atom.kind == address::FormulaKind::kQuotient ||
                             atom.kind == address::FormulaKind::kRemainder;
        if (divides && NamesThreads(atom.arguments[0], depth + 1)) {
          divisors.insert(DividedBy(atom));
        }
        for (const address::Formula& argument : atom.arguments) {
          AddDivisors(argument, divisors, depth + 1);
        }
      }
    }
  }

  const Subject& subject_;
  const std::uint64_t places_;
};

}  // namespace

std::set<std::uint64_t> StridesOf(const Subject& subject, std::uint64_t places) {
  std::set<std::uint64_t> strides = Divisors(subject, places).Find();
  std::erase_if(strides, [places](std::uint64_t one) { return one < 2 || one >= places; });
  while (strides.size() > kMostStrides) strides.erase(std::prev(strides.end()));
  return strides;
}

bool AreBlocksNeighbours(const Subject& subject) {
  const auto is_neighbour = [&](const auto& term) {
    const auto& [monomial, coefficient] = term;
    if (monomial.degree() != 1 || coefficient >= kSectorSize.count()) return false;
    const address::FormulaAtom& atom = subject.formulas.atoms()[monomial.atom(0)];
    return atom.kind == address::FormulaKind::kSpecial &&
           static_cast<ptx::Special>(atom.a) == ptx::Special::kCtaidX;
  };
  return std::ranges::any_of(subject.counted, [&](const auto& one) {
    const address::Formula* formula = subject.formulas.Of(one.first);
    return formula != nullptr && std::ranges::any_of(formula->terms(), is_neighbour);
  });
}

}  // namespace coalcheck::moves
