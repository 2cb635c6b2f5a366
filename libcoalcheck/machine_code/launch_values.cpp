// SPDX-License-Identifier: Apache-2.0
//
// Evaluates what bounds of loops are made of: sums, products, shifts and masks of constants and of
// the launch's own numbers.
#include "libcoalcheck/machine_code/launch_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <set>
#include <vector>

#include "libcoalcheck/cubin/architecture.h"
#include "libcoalcheck/machine_code/arithmetic.h"
#include "libcoalcheck/machine_code/opcodes.h"

namespace coalcheck::machine_code {
namespace {

constexpr unsigned kZeroRegister = 255;
constexpr int kDeepestValue = 48;

Operand ValueOf(double value) { return {.kind = Operand::Kind::kValue, .value = value}; }

}  // namespace

void Range::Include(const Range& other) {
  least = std::min(least, other.least);
  greatest = std::max(greatest, other.greatest);
}

Range Range::Absolute() const {
  const Range ends{std::abs(least), std::abs(greatest)};
  const bool has_zero = least <= 0 && greatest >= 0;
  return {has_zero ? 0 : std::min(ends.least, ends.greatest), std::max(ends.least, ends.greatest)};
}

void LaunchEvaluator::Known::Add(const Known& other) {
  stepped = stepped || other.stepped;
  if (!other.any) return;
  if (any) {
    range.Include(other.range);
  } else {
    range = other.range;
  }
  any = true;
  all = all && other.all;
}

void LaunchEvaluator::Known::Add(std::optional<double> value) {
  Add(value ? Known{.any = true, .all = true, .range = {*value, *value}} : Unknown());
}

Operand LaunchEvaluator::Register(const Word& word, unsigned bit, bool uniform) const {
  const unsigned zero = uniform ? cubin::ArchitectureOf(code_.sm).zero_uniform : kZeroRegister;
  const unsigned number = word.Bits(bit, 8) & zero;  // as many bits as there are registers
  if (number == zero) return ValueOf(0);
  return {.kind = Operand::Kind::kRegister,
          .location = (uniform ? kUniform : kVector) + number,
          .is_negated = IsNegated(word, bit)};
}

Operand LaunchEvaluator::Constant(std::uint32_t bank, std::uint32_t offset) const {
  if (bank != 0) return {};
  const auto& at = cubin::ArchitectureOf(code_.sm).bank;
  const auto of = [offset](std::uint32_t base, const Dim3& size) {
    const std::uint32_t which = offset - base;
    return which == 0 ? size.x : (which == 4 ? size.y : size.z);
  };
  if (offset >= at.block && offset <= at.block + 8) return ValueOf(of(at.block, launch_.block));
  if (offset >= at.grid && offset <= at.grid + 8) return ValueOf(of(at.grid, launch_.grid));
  std::uint32_t bits = 0;
  if (offset < at.parameters || offset - at.parameters + sizeof bits > launch_.parameters.size()) {
    return {};
  }
  std::memcpy(&bits, launch_.parameters.data() + (offset - at.parameters), sizeof bits);
  return ValueOf(SignedOf(bits));
}

Operand LaunchEvaluator::First(const Word& word) const {
  return Register(word, kFirstPlace, IsUniform(word));
}

// What stands in the second place, be it the second operand or the third.
Operand LaunchEvaluator::SecondPlace(const Word& word) const {
  switch (word.form()) {
    case 1:
      return Register(word, kSecondPlace, IsUniform(word));
    case 2:
    case 4:
      return ValueOf(SignedOf(word.Bits(32, 32)));
    case 3:
    case 5: {
      Operand constant = Constant(word.Bits(54, 5), word.Bits(38, 16));
      if (IsNegated(word, kSecondPlace)) constant.value = -constant.value;
      return constant;
    }
    case 6:
    case 7:
      return Register(word, kSecondPlace, true);
    default:
      return {};
  }
}

Operand LaunchEvaluator::Second(const Word& word) const {
  const bool is_behind = word.form() == 2 || word.form() == 3 || word.form() == 7;
  return is_behind ? Register(word, kThirdPlace, IsUniform(word)) : SecondPlace(word);
}

Operand LaunchEvaluator::Third(const Word& word) const {
  const bool is_before = word.form() == 2 || word.form() == 3 || word.form() == 7;
  return is_before ? SecondPlace(word) : Register(word, kThirdPlace, IsUniform(word));
}

std::optional<Range> LaunchEvaluator::Before(std::uint32_t block, std::uint32_t n,
                                             unsigned location) {
  const Known known = Reaching(block, n, location);
  return known.any && known.all ? std::optional(known.range) : std::nullopt;
}

std::optional<Range> LaunchEvaluator::Of(const Operand& operand, std::uint32_t block,
                                         std::uint32_t n) {
  const Known known = KnownOf(operand, block, n);
  return known.any && known.all && !known.stepped ? std::optional(known.range) : std::nullopt;
}

LaunchEvaluator::Known LaunchEvaluator::KnownOf(const Operand& operand, std::uint32_t block,
                                                std::uint32_t n) {
  if (operand.kind == Operand::Kind::kRegister) {
    Known known = Reaching(block, n, operand.location);
    if (operand.is_negated) known.range = -known.range;
    return known;
  }
  Known known;
  known.Add(operand.kind == Operand::Kind::kValue ? std::optional(operand.value) : std::nullopt);
  return known;
}

// The definitions that reach here, each from the end of a block backwards.
LaunchEvaluator::Known LaunchEvaluator::Reaching(std::uint32_t block, std::uint32_t n,
                                                 unsigned location) {
  if (depth_ >= kDeepestValue) return Unknown();
  ++depth_;
  Known all;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{block, n}};
  std::set<std::uint32_t> seen;
  while (!open.empty() && all.all) {
    const auto [at, end] = open.back();
    open.pop_back();
    bool is_certain = false;
    for (std::uint32_t i = end; i > code_.blocks[at].begin && !is_certain; --i) {
      if (steps_left_ == 0) {
        all.Add(Unknown());
        break;
      }
      --steps_left_;
      if (!code_.MayWrite(i - 1, location)) continue;
      all.Add(Written(at, i - 1, location));
      is_certain = !code_.words[i - 1].is_guarded();
    }
    if (is_certain) continue;
    const auto& from = code_.blocks[at].predecessors;
    if (from.empty()) all.Add(Unknown());  // what a function is called with
    for (const std::uint32_t one : from) {
      if (seen.insert(one).second) open.emplace_back(one, code_.blocks[one].end);
    }
  }
  --depth_;
  return all;
}

LaunchEvaluator::Known LaunchEvaluator::Written(std::uint32_t block, std::uint32_t n,
                                                unsigned location) {
  const auto [known, fresh] = known_.try_emplace({n, location}, Known{.stepped = true});
  if (!fresh) return known->second;
  const Known value = code_.IsCall(n) ? Unknown() : Computed(block, n, location);
  return known_[{n, location}] = value;
}

LaunchEvaluator::Known LaunchEvaluator::Loaded(const Word& word, unsigned location) const {
  const bool is_indexed = word.opcode() != opcode::kUldc && word.Bits(24, 8) != kZeroRegister;
  if (is_indexed) return Unknown();
  const std::uint32_t offset = word.Bits(word.opcode() == opcode::kLdcu ? 37 : 38, 16);
  const unsigned first = word.Bits(16, 8) + (location >= kUniform ? kUniform : kVector);
  if (location < first) return Unknown();
  Known known;
  const Operand value = Constant(word.Bits(54, 5), offset + 4 * (location - first));
  known.Add(value.kind == Operand::Kind::kValue ? std::optional(value.value) : std::nullopt);
  return known;
}

LaunchEvaluator::Known LaunchEvaluator::Computed(std::uint32_t block, std::uint32_t n,
                                                 unsigned location) {
  const Word& word = code_.words[n];
  switch (word.opcode()) {
    case opcode::kMov:
    case opcode::kUmov:
      return KnownOf(Second(word), block, n);
    case opcode::kHfma2:
    case opcode::kHfma2Mma:  // how ptxas sets a constant: 0 × 0 + constant
      if (word.form() != 2) break;
      return word.Bits(24, 8) == kZeroRegister && word.Bits(64, 8) == kZeroRegister
                 ? KnownOf(Third(word), block, n)
                 : Unknown();
    case opcode::kR2ur:
      return KnownOf(Register(word, kFirstPlace, false), block, n);
    case opcode::kIabs: {
      Known known = KnownOf(Second(word), block, n);
      known.range = known.range.Absolute();
      return known;
    }
    case opcode::kS2r:  // of the first thread, lane and block
    case opcode::kS2ur:
    case opcode::kCs2r:
      return {.any = true};
    case opcode::kUldc:
    case opcode::kLdc:
    case opcode::kLdcu:
      return Loaded(word, location);
    default:
      break;
  }
  if (Chooses(word)) return Chosen(word, block, n);
  const std::optional<Arithmetic> arithmetic = ArithmeticOf(word, code_.sm);
  if (!arithmetic) return Unknown();
  const bool is_upper = location != word.Bits(16, 8) + (location >= kUniform ? kUniform : kVector);
  if (is_upper && arithmetic->has_upper_word) return {.any = true};
  return Combined(word, *arithmetic, block, n);
}

LaunchEvaluator::Known LaunchEvaluator::Chosen(const Word& word, std::uint32_t block,
                                               std::uint32_t n) {
  const bool is_sum = ChoosesOfSum(word);
  Known either = is_sum ? Combined(word, *ArithmeticOf(word, code_.sm), block, n)
                        : KnownOf(First(word), block, n);
  either.Add(KnownOf(is_sum ? Third(word) : Second(word), block, n));
  return either;
}

// Each operand is followed to both ends of its range.
LaunchEvaluator::Known LaunchEvaluator::Combined(const Word& word, const Arithmetic& arithmetic,
                                                 std::uint32_t block, std::uint32_t n) {
  const std::array operands = {First(word), Second(word), Third(word)};
  std::array<Known, operands.size()> values;
  Known result{.any = true};
  const std::size_t count = std::min(operands.size(), arithmetic.operands);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = KnownOf(operands[i], block, n);
    result.any = result.any && values[i].any;
    result.all = result.all && values[i].all;
    result.stepped = result.stepped || values[i].stepped;
  }
  if (!result.any || !result.all) return result;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double at[3];
    for (unsigned i = 0; i < 3; ++i) {
      at[i] = (corner >> i & 1U) == 0 ? values[i].range.least : values[i].range.greatest;
    }
    const double value = Wrapped(arithmetic.function(word, at[0], at[1], at[2]));
    if (corner == 0) result.range = {value, value};
    result.range.Include({value, value});
  }
  return result;
}

}  // namespace coalcheck::machine_code
