// SPDX-License-Identifier: Apache-2.0
//
// Replaces the unknowns at which ways meet: by what all ways agree on, by a start and a step for
// each round of a loop, or by something merged.
#include <algorithm>

#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

constexpr std::uint32_t kMostDepth = 250;
constexpr std::size_t kMostWays = 32;
// What differs between lanes in more ways than that is given up.
constexpr std::size_t kMostVarying = 4;
static_assert(kMergedFactor + kMostVarying <= kMergedOfRun);
static_assert(kMergedOfRun + kMostVarying <= 1U << kMergedBits);

bool AllEqual(std::span<const Polynomial> values) {
  return std::all_of(values.begin(), values.end(),
                     [&](const Polynomial& value) { return value == values.front(); });
}

}  // namespace

// Whether the entry, on its own, holds the same whatever round or way it is.
bool Analysis::IsSettled(AtomId id) {
  const auto known = solved_.find(id);
  if (known != solved_.end() && !known->second) return false;  // being solved
  const Polynomial solution = SolvedAtom(id);
  for (const auto& [monomial, coefficient] : solution.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      if (HomeOf(atoms_[monomial.atom(i)]) == atoms_[id].a) return false;
    }
  }
  return true;
}

// The two halves of a pair that were left by the same ways are solved together: c·Z(low) and
// c·2^32·high. Halves that can be solved alone are not in need of it.
Polynomial Analysis::PairEntries(const Polynomial& value) {
  Polynomial result = value;
  for (const auto& [monomial, coefficient] : value.terms()) {
    if (monomial.degree() != 1) continue;
    const std::optional<AtomId> low = ExtendedEntry(monomial.atom(0));
    if (!low) continue;
    for (const auto& [other, other_coefficient] : value.terms()) {
      if (other.degree() != 1 || other_coefficient != coefficient * kWordUnit) continue;
      const AtomId high = other.atom(0);
      const bool together =
          atoms_[high].kind == AtomKind::kEntry && atoms_[high].a == atoms_[*low].a;
      if (!together || IsSettled(*low) || IsSettled(high)) continue;
      const AtomId pair =
          atoms_.Intern(AtomKind::kEntryPair, atoms_[*low].a, atoms_[*low].b, atoms_[high].b);
      result.Add(monomial, ~coefficient + 1);
      result.Add(other, ~other_coefficient + 1);
      result.Add(Monomial(pair), coefficient);
      break;
    }
  }
  return result;
}

// The entry that the unknown is the value of, as a number from 0 on.
std::optional<AtomId> Analysis::ExtendedEntry(AtomId id) const {
  const Atom& extended = atoms_[id];
  if (extended.kind != AtomKind::kZeroExtended) return std::nullopt;
  const auto& inner = extended.inner.terms();
  if (inner.size() != 1 || inner[0].second != kWordUnit || inner[0].first.degree() != 1) {
    return std::nullopt;
  }
  const AtomId entry = inner[0].first.atom(0);
  return atoms_[entry].kind == AtomKind::kEntry ? std::optional(entry) : std::nullopt;
}

Polynomial Analysis::Solved(const Polynomial& value) {
  if (depth_ >= kMostDepth || !Spend(value.terms().size() + 1)) return value;
  ++depth_;
  Polynomial result;
  const Polynomial paired = PairEntries(value);
  for (const auto& [monomial, coefficient] : paired.terms()) {
    std::uint64_t factor = coefficient;
    Polynomial product(1);
    bool given_up = false;
    for (std::size_t i = 0; i < monomial.degree() && !given_up; ++i) {
      const AtomId id = monomial.atom(i);
      const bool is_word = atoms_[id].kind == AtomKind::kEntry || IsChoice(atoms_[id]);
      Polynomial solution = Polynomial::Of(id);
      if (is_word && factor % kWordUnit == 0) {
        const Polynomial word = SolvedAtom(id);
        if (!(word == atoms_.WordOf(id))) {
          factor /= kWordUnit;
          solution = word;
        }
      } else if (!is_word) {
        solution = SolvedAtom(id);
      }
      const auto next = Polynomial::Product(product, solution);
      given_up = !next;
      if (next) product = *next;
    }
    if (given_up) {
      result.Add(monomial, coefficient);
    } else {
      result.Add(product, factor);
    }
  }
  --depth_;
  result = atoms_.Normal(result);
  return result.too_long() ? value : result;
}

// Of a kEntry and of a choice a word; of others a number.
Polynomial Analysis::SolvedAtom(AtomId id) {
  const Atom atom = atoms_[id];
  switch (atom.kind) {
    case AtomKind::kZeroExtended:
      return atoms_.ZeroExtended(Solved(atom.inner));
    case AtomKind::kSignExtended:
      return atoms_.SignExtended(Solved(atom.inner));
    case AtomKind::kAnd:
      return atoms_.And(Solved(atom.inner), atom.a);
    case AtomKind::kShiftRight:
      return atoms_.ShiftRight(Solved(atom.inner), atom.a);
    case AtomKind::kEntry:
    case AtomKind::kEntryPair:
      break;
    case AtomKind::kWritten:
      if (IsChoice(atom)) break;
      return Polynomial::Of(id);
    default:  // kHigh comes up when all is solved
      return Polynomial::Of(id);
  }
  const Polynomial self =
      atom.kind == AtomKind::kEntryPair ? Polynomial::Of(id) : atoms_.WordOf(id);
  const auto [known, fresh] = solved_.try_emplace(id);
  if (!fresh) {
    // What was solved while another was being solved may name that one.
    return known->second && !(*known->second == self) ? Solved(*known->second) : self;
  }
  const Polynomial solution = IsChoice(atom) ? SolveChoice(id) : SolveEntry(id);
  solved_[id] = solution;
  return solution;
}

// What the entry holds when it is reached from block `b`.
Polynomial Analysis::ValueFrom(const Atom& entry, std::uint32_t b) {
  const Polynomial low = WordAtEnd(entry.b, b);
  if (entry.kind == AtomKind::kEntry) return Solved(low);
  return Solved(PairOf(low, WordAtEnd(entry.c, b)));
}

Polynomial Analysis::SolveEntry(AtomId id) {
  const Atom atom = atoms_[id];
  const bool is_word = atom.kind == AtomKind::kEntry;
  const std::uint32_t places = atom.b | (is_word ? 0 : (atom.c + 1) << 16U);
  // The lanes of a warp share the uniform registers, whatever way they came.
  const bool is_shared = atom.b >= machine_code::kUniform && atom.b < machine_code::kPredicate;
  const auto merged = [&](std::uint32_t how) {
    if (is_shared) how = kMergedSame;
    const AtomId result = atoms_.Intern(AtomKind::kMerged, atom.a, places, how);
    return is_word ? atoms_.WordOf(result) : Polynomial::Of(result);
  };
  const auto& from = code_.blocks()[atom.a].predecessors;
  if (code_.IsEntry(atom.a) || from.empty() || from.size() > kMostWays) {
    return merged(kMergedAnyhow);
  }
  const Guard guard = guard_;
  guard_ = Guard();
  std::uint32_t loop = code_.InnermostLoop(atom.a);
  if (loop != kNowhere && code_.loops()[loop].first != atom.a) loop = kNowhere;
  Ways first;
  Ways again;
  for (const std::uint32_t b : from) {
    Ways& ways = loop != kNowhere && code_.IsInLoop(b, loop) ? again : first;
    ways.values.push_back(ValueFrom(atom, b));
    ways.from.push_back(b);
  }
  guard_ = guard;
  if (again.values.empty()) {
    return Merge(atom.a, first, merged).value_or(merged(kMergedAnyhow));
  }
  if (first.values.empty()) return merged(kMergedAnyhow);
  const Polynomial start = Merge(atom.a, first, merged).value_or(merged(kMergedBeforeLoop));
  return Repeated(id, loop, start, again).value_or(merged(kMergedAnyhow));
}

// A sum of too many terms, with one atom for all those that do not differ between lanes.
std::optional<Polynomial> Analysis::Shortened(const Polynomial& value, std::uint32_t place,
                                              std::uint32_t n) {
  const auto rest = [&](std::uint32_t how) {
    return atoms_.WordOf(
        atoms_.Intern(AtomKind::kRest, n, place, (guard_.id << kMergedBits) + how));
  };
  return OneOf({{value}, {code_.BlockOf(n)}}, rest);
}

// Whether the atom stands for what an instruction under a predicate wrote, or for what was there.
bool Analysis::IsChoice(const Atom& atom) const {
  return atom.kind == AtomKind::kWritten && atom.c == 0 && code_.words()[atom.a].is_guarded();
}

Polynomial Analysis::SolveChoice(AtomId id) {
  const Atom atom = atoms_[id];
  const std::uint32_t n = atom.a;
  const Guard guard = guard_;
  TakeGuard(n);
  const std::uint32_t predicate = guard_.predicate;
  const std::optional<Polynomial> written = Compute(atom.b, n);
  Ways ways;
  if (written) ways.values.push_back(Solved(*written));
  guard_ = Guard();
  ways.values.push_back(Solved(WordBefore(atom.b, n)));
  ways.from.assign(ways.values.size(), code_.BlockOf(n));
  const bool together = written && VarianceOfPlace(predicate, n) == Variance::kSame;
  guard_ = guard;
  const auto chosen = [&](std::uint32_t how) {
    return atoms_.WordOf(atoms_.Intern(AtomKind::kChosen, n, atom.b, how));
  };
  const Polynomial unknown = atoms_.WordOf(id);
  return together ? OneOf(ways, chosen).value_or(unknown) : unknown;
}

// start + step · rounds, when each round adds the same.
std::optional<Polynomial> Analysis::Repeated(AtomId id, std::uint32_t loop, const Polynomial& start,
                                             const Ways& again) {
  if (!AllEqual(again.values)) return std::nullopt;
  Polynomial step = again.values.front();
  step.Add(atoms_[id].kind == AtomKind::kEntry ? atoms_.WordOf(id) : Polynomial::Of(id),
           ~std::uint64_t{0});
  if (!IsFixedIn(step, loop)) return std::nullopt;
  const AtomId rounds = atoms_.Intern(AtomKind::kIteration, code_.loops()[loop].first);
  const auto added = Polynomial::Product(step, Polynomial::Of(rounds));
  if (!added) return std::nullopt;
  Polynomial result = start;
  result.Add(*added);
  return result;
}

// What all ways bring. Where all lanes come the same way: what differs between lanes, if the ways
// do not agree on it with a factor that is the same for all; and one atom for the rest.
std::optional<Polynomial> Analysis::Merge(std::uint32_t b, const Ways& ways,
                                          const MergedAtom& merged) {
  if (AllEqual(ways.values)) return ways.values.front();
  if (!MeetsTogether(b, ways.from)) return std::nullopt;
  return OneOf(ways, merged);
}

// Whichever way it is, all lanes have come the same.
std::optional<Polynomial> Analysis::OneOf(const Ways& ways, const MergedAtom& merged) {
  std::vector<Polynomial> varying(ways.values.size());
  Variance rest = Variance::kSame;
  for (std::size_t i = 0; i < ways.values.size(); ++i) {
    for (const auto& [monomial, coefficient] : ways.values[i].terms()) {
      Polynomial term;
      term.Add(monomial, coefficient);
      const Variance variance = VarianceOf(term, ways.from[i]);
      if (variance > Variance::kInRows) {
        varying[i].Add(monomial, coefficient);
      } else {
        rest = std::max(rest, variance);
      }
    }
  }
  std::optional<Polynomial> common = varying.front();
  if (!AllEqual(varying)) common = WithFactors(varying, ways.from, merged);
  if (common) common->Add(merged(rest == Variance::kSame ? kMergedSame : kMergedInRows));
  return common;
}

// Each product of what differs between lanes once, with one factor for all that the ways multiply
// it by.
std::optional<Polynomial> Analysis::WithFactors(const std::vector<Polynomial>& varying,
                                                const std::vector<std::uint32_t>& from,
                                                const MergedAtom& merged) {
  std::map<Monomial, bool> products;  // and whether only the run decides their factors
  for (std::size_t i = 0; i < varying.size(); ++i) {
    for (const auto& [monomial, coefficient] : varying[i].terms()) {
      Polynomial term;
      term.Add(monomial, coefficient);
      // What one way loads says nothing where the others are gone.
      if (VarianceOf(term, from[i]) == Variance::kUnknown) return std::nullopt;
      const Monomial product = VaryingPart(monomial, from[i]);
      const bool of_run = product.degree() < monomial.degree();
      const auto [known, fresh] = products.try_emplace(product, of_run);
      known->second = known->second && of_run;
    }
  }
  if (products.size() > kMostVarying) return std::nullopt;
  Polynomial sum;
  std::uint32_t number = 0;
  for (const auto& [product, of_run] : products) {
    Polynomial one;
    one.Add(product, 1);
    const std::uint32_t how = (of_run ? kMergedOfRun : kMergedFactor) + number++;
    const auto scaled = Polynomial::Product(one, merged(how));
    if (!scaled) return std::nullopt;
    sum.Add(*scaled);
  }
  return sum;
}

// Without the factors that are the same for all lanes that come from block `b`.
Monomial Analysis::VaryingPart(const Monomial& monomial, std::uint32_t b) {
  Monomial product = monomial;
  for (std::size_t i = 0; i < monomial.degree(); ++i) {
    const AtomId id = monomial.atom(i);
    if (VarianceOf(Polynomial::Of(id), b) == Variance::kSame) product = product.Without(id);
  }
  return product;
}

bool Analysis::IsFixedIn(const Polynomial& value, std::uint32_t loop) {
  if (!Spend(value.terms().size())) return false;
  for (const auto& [monomial, coefficient] : value.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const Atom& atom = atoms_[monomial.atom(i)];
      if (atom.has_inner()) {
        if (depth_ >= kMostDepth) return false;
        ++depth_;
        const bool fixed = IsFixedIn(Polynomial(atom.inner), loop);
        --depth_;
        if (!fixed) return false;
        continue;
      }
      const std::uint32_t home = HomeOf(atom);
      if (home != kNowhere && code_.IsInLoop(home, loop)) return false;
    }
  }
  return true;
}

}  // namespace coalcheck::address
