// SPDX-License-Identifier: Apache-2.0
//
// Which registers and which constant make the address of a global access. The fields were found by
// changing single bits of words and asking nvdisasm.
#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

using machine_code::Word;

enum Opcode : std::uint32_t {
  kLd = 0x180,
  kLdg = 0x181,
  kSt = 0x185,
  kStg = 0x186,
  kAtom = 0x18a,
  kAtomCas = 0x18b,
  kRed = 0x18e,
  kAtomFloat = 0x1a2,
  kAtomgFloat = 0x1a3,
  kRedFloat = 0x1a6,
  kAtomg = 0x1a8,
  kAtomgCas = 0x1a9,
  kLdgsts = 0x1ae,
};

struct Fields {
  unsigned uniform = 64;  // where the uniform register stands
  unsigned offset = 40;   // where the constant begins
  unsigned offset_bits = 24;
  bool is_atomic = false;
};

std::optional<Fields> FieldsOf(std::uint32_t opcode) {
  switch (opcode) {
    case kLd:
    case kLdg:
      return Fields{32, 40, 24, false};
    case kSt:
    case kStg:
      return Fields{};
    case kAtom:
    case kAtomCas:
    case kRed:
    case kAtomFloat:
    case kAtomgFloat:
    case kRedFloat:
    case kAtomg:
    case kAtomgCas:
      return Fields{64, 40, 24, true};
    case kLdgsts:
      return Fields{64, 32, 12, false};
    default:
      return std::nullopt;
  }
}

// From sm_80 on the uniform register may hold a descriptor, which is no part of the address.
bool AddsUniform(const Word& word, std::uint32_t sm, bool is_atomic) {
  if (word.Bits(91, 1) == 0) return false;
  if (sm < 80) return true;
  if (is_atomic && sm < 100) return false;
  return word.Bits(76, 1) == 0;
}

std::int64_t SignedBits(const Word& word, unsigned first, unsigned count) {
  const std::uint32_t bits = word.Bits(first, count);
  const std::uint32_t sign = std::uint32_t{1} << (count - 1);
  return std::int64_t{bits & (sign - 1)} - std::int64_t{bits & sign};
}

}  // namespace

std::uint32_t Analysis::OpcodeOf(std::uint32_t n) const { return code_.words()[n].opcode(); }

std::optional<Polynomial> Analysis::AddressOf(std::uint32_t n) {
  const Word& word = code_.words()[n];
  const std::optional<Fields> fields = FieldsOf(word.opcode());
  if (!fields) return std::nullopt;
  const bool wide = word.opcode() == kLdgsts || word.Bits(72, 1) != 0;  // .E
  if (!wide || depth_ > 200) return std::nullopt;
  const Guard guard = guard_;
  TakeGuard(n);
  Polynomial address(
      static_cast<std::uint64_t>(SignedBits(word, fields->offset, fields->offset_bits)));
  const bool narrow_register = word.Bits(91, 1) != 0 && word.Bits(90, 1) == 0 &&
                               word.opcode() != kLdgsts && !fields->is_atomic;
  if (narrow_register) {
    address.Add(atoms_.ZeroExtended(RegisterAt(n, 24, false)));
  } else if (const auto base = PairAt(n, 24)) {
    address.Add(*base);
  } else {
    guard_ = guard;
    return std::nullopt;
  }
  if (AddsUniform(word, code_.sm(), fields->is_atomic)) {
    const std::uint32_t zero = code_.sm() < 100 ? 63 : 255;
    const std::uint32_t place = word.Bits(fields->uniform, 8) & zero;
    if (place != zero) address.Add(PairBefore(machine_code::kUniform + place, n));
  }
  address = Solved(atoms_.Normal(address));
  guard_ = guard;
  return address;
}

}  // namespace coalcheck::address
