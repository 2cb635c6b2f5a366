// SPDX-License-Identifier: Apache-2.0
//
// Recognises an index divided by a number that is the same for all lanes, rounded down: a high
// product, or one shifted right. Libraries divide so by the sizes of tensors, and compilers by
// constants. Such a quotient is the same for all lanes of a row, and rows are what an image or a
// matrix has.
#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

using machine_code::Word;

constexpr std::uint32_t kImadHigh = 0x027;
constexpr std::uint32_t kShf = 0x019;
constexpr std::uint32_t kNoRegister = 255;

// SHF.R.U32.HI RZ, amount, number: a plain shift of one register.
bool IsShiftOfOneRegister(const Word& word) {
  constexpr std::uint32_t kU32 = 3;
  const bool right = word.Bits(76, 1) != 0;
  const bool high = word.Bits(80, 1) != 0;
  // In these forms the number and by how much it is shifted change places.
  const bool is_swapped = word.form() == 2 || word.form() == 3 || word.form() == 7;
  return word.opcode() == kShf && !is_swapped && right && high && word.Bits(73, 2) == kU32 &&
         word.Bits(24, 8) == kNoRegister;
}

}  // namespace

// One thread index, or one quotient of one, and beside it only what all lanes share. What is merged
// of several quotients does not grow by one, but it is the same within a row, and so is what is
// made of it.
bool Analysis::GrowsByOneAtMost(const Polynomial& word, std::uint32_t b) {
  bool grows = false;
  for (const auto& [monomial, coefficient] : word.terms()) {
    Polynomial term;
    term.Add(monomial, coefficient);
    const Variance variance = VarianceOf(term, b);
    if (variance == Variance::kSame) continue;
    if (monomial.degree() != 1 || variance > Variance::kKnown) return false;
    const AtomKind kind = atoms_[monomial.atom(0)].kind;
    const bool is_quotient = kind == AtomKind::kShiftRight && variance == Variance::kInRows;
    const bool is_index = is_quotient || !atoms_[monomial.atom(0)].has_inner();
    if (!is_index || coefficient != kWordUnit || grows) return false;
    grows = true;
  }
  return grows;
}

// IMAD.HI.U32: the high half of number · factor, and the number once more where `plus_number`
// allows it.
bool Analysis::IsHighProduct(std::uint32_t n, bool plus_number) {
  const Word& word = code_.words()[n];
  const bool is_signed = word.Bits(73, 1) != 0;
  if (word.opcode() != kImadHigh || is_signed) return false;
  const Operand number = A(n);
  const std::optional<Operand> factor = B(n);
  const std::optional<Polynomial> added = PairC(n);
  if (!factor || !added || number.negated || factor->negated) return false;
  const std::uint32_t b = code_.BlockOf(n);
  const Polynomial solved = Solved(number.word);
  const bool adds_nothing = added->constant() && *added->constant() == 0;
  const bool adds_number = plus_number && Solved(*added) == solved;
  return (adds_nothing || adds_number) && GrowsByOneAtMost(solved, b) &&
         VarianceOf(Solved(factor->word), b) == Variance::kSame;
}

// Whether the atom stands for what its instruction wrote, and not for what was there before: it is
// executed in any case, or was asked for under its own predicate.
bool Analysis::IsWrittenForSure(const Atom& atom) {
  if (atom.kind != AtomKind::kWritten) return false;
  TakeGuard(atom.a);
  return guard_.id == 0 || guard_.id == atom.c;
}

bool Analysis::IsQuotient(const Atom& written) {
  if (!IsWrittenForSure(written)) return false;
  const std::uint32_t n = written.a;
  if (IsHighProduct(n, false)) return true;
  if (!IsShiftOfOneRegister(code_.words()[n])) return false;
  const std::optional<Operand> by = Slot32(n);
  const std::uint32_t b = code_.BlockOf(n);
  if (!by || VarianceOf(Solved(by->word), b) != Variance::kSame) return false;
  const Polynomial number = Solved(RegisterAt(n, 64, IsUniform(n)));
  if (GrowsByOneAtMost(number, b)) return true;
  if (number.terms().size() != 1 || number.terms()[0].second != kWordUnit) return false;
  const Monomial& alone = number.terms()[0].first;
  if (alone.degree() != 1) return false;
  const Atom high = atoms_[alone.atom(0)];
  return IsWrittenForSure(high) && IsHighProduct(high.a, true);
}

// The high half of an index times a constant, as IMAD.WIDE.U32 leaves it: the product less its low
// half.
bool Analysis::IsHighHalf(const Polynomial& word, std::uint32_t b) {
  for (const auto& [monomial, coefficient] : word.terms()) {
    if (monomial.degree() != 1 || coefficient != ~std::uint64_t{0}) continue;
    const Atom low = atoms_[monomial.atom(0)];
    if (low.kind != AtomKind::kZeroExtended) continue;
    Polynomial product = word;
    product.Add(monomial, 1);
    if (product.terms().size() != 1 || !(atoms_.LowWord(product) == low.inner)) continue;
    const auto& [index, factor] = product.terms()[0];
    if (index.degree() != 1 || factor >= kWordUnit) continue;
    const Atom number = atoms_[index.atom(0)];
    if (number.kind == AtomKind::kZeroExtended) return GrowsByOneAtMost(number.inner, b);
    return number.kind == AtomKind::kSpecial;
  }
  return false;
}

}  // namespace coalcheck::address
