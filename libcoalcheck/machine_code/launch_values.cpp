// SPDX-License-Identifier: Apache-2.0
//
// Evaluates what bounds of loops are made of: sums, products, shifts and masks of constants and of
// the launch's own numbers.
#include "libcoalcheck/machine_code/launch_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "libcoalcheck/cubin/architecture.h"
#include "libcoalcheck/machine_code/bit_functions.h"
#include "libcoalcheck/machine_code/opcodes.h"

namespace coalcheck::machine_code {
namespace {

constexpr unsigned kZeroRegister = 255;
constexpr int kDeepestValue = 48;

bool IsUniform(const Word& word) {
  switch (word.opcode()) {
    case opcode::kUmov:
    case opcode::kUsel:
    case opcode::kUiadd3:
    case opcode::kUlea:
    case opcode::kUlop3:
    case opcode::kUshf:
    case opcode::kUimad:
    case opcode::kUimadWide:
    case opcode::kUpopc:
    case opcode::kUisetp:
      return true;
    default:
      return false;
  }
}

double SignedOf(std::uint32_t bits) { return static_cast<std::int32_t>(bits); }

double SignOfSecond(const Word& word) { return word.form() != 4 && word.Bits(63, 1) != 0 ? -1 : 1; }

// Of a value beyond 52 bits the low ones are lost.
std::uint32_t BitsOf(double value) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::clamp(value, -0x1p62, 0x1p62)));
}

// As 32 bits hold it.
double Wrapped(double value) { return SignedOf(BitsOf(value)); }

Operand ValueOf(double value) { return {.kind = Operand::Kind::kValue, .value = value}; }

double Sum(const Word& word, double a, double b, double c) {
  const double a_sign = word.Bits(72, 1) != 0 ? -1 : 1;
  const double c_sign = word.Bits(75, 1) != 0 ? -1 : 1;
  return a * a_sign + b * SignOfSecond(word) + c * c_sign;
}

double PlainSum(const Word& /*word*/, double a, double b, double /*c*/) { return a + b; }

double ProductAndSum(const Word& /*word*/, double a, double b, double c) { return a * b + c; }

double HighProduct(const Word& /*word*/, double a, double b, double /*c*/) {
  return std::floor(a * b * 0x1p-32);
}

double Shifted(const Word& word, double a, double b, double c) {
  return SignedOf(*ShiftOf(word, BitsOf(a), BitsOf(b), BitsOf(c)));
}

double ShiftedSum(const Word& word, double a, double b, double /*c*/) {
  const std::uint64_t shifted = std::uint64_t{BitsOf(a)} << word.Bits(75, 5);
  const bool upper_word = word.Bits(80, 1) != 0;
  return SignedOf(static_cast<std::uint32_t>(upper_word ? shifted >> 32U : shifted)) +
         b * SignOfSecond(word);
}

double Logic(const Word& word, double a, double b, double c) {
  return SignedOf(LogicOf(word.Bits(72, 8), BitsOf(a), BitsOf(b), BitsOf(c)));
}

double Greater(const Word& /*word*/, double a, double b, double /*c*/) { return std::max(a, b); }

// What an instruction makes of its first operands; empty where it is not evaluated.
std::optional<Arithmetic> ArithmeticOf(const Word& word) {
  switch (word.opcode()) {
    case opcode::kIadd3:
    case opcode::kUiadd3:
      return Arithmetic{3, Sum};
    case opcode::kViadd:
      return Arithmetic{2, PlainSum};
    case opcode::kImad:
    case opcode::kUimad:
    case opcode::kImadWide:
    case opcode::kUimadWide:
      return Arithmetic{3, ProductAndSum, true};
    case opcode::kImadHigh:
      return Arithmetic{2, HighProduct, true};
    case opcode::kShf:
    case opcode::kUshf:
      return ShiftOf(word, 0, 0, 0) ? std::optional(Arithmetic{3, Shifted}) : std::nullopt;
    case opcode::kLea:
    case opcode::kUlea:
      return Arithmetic{2, ShiftedSum};
    case opcode::kLop3:
    case opcode::kUlop3:
      return Arithmetic{3, Logic};
    case opcode::kSel:
    case opcode::kUsel:
    case opcode::kImnmx:
    case opcode::kVimnmx:
      return Arithmetic{2, Greater};
    default:
      return std::nullopt;
  }
}

}  // namespace

void LaunchEvaluator::Known::Add(const Known& other) {
  stepped = stepped || other.stepped;
  if (!other.any) return;
  greatest = any ? std::max(greatest, other.greatest) : other.greatest;
  any = true;
  all = all && other.all;
}

void LaunchEvaluator::Known::Add(std::optional<double> value) {
  Add(value ? Known{.any = true, .all = true, .greatest = *value} : Unknown());
}

Operand LaunchEvaluator::Register(const Word& word, unsigned bit, bool uniform) const {
  const unsigned zero = uniform ? cubin::ArchitectureOf(code_.sm).zero_uniform : kZeroRegister;
  const unsigned number = word.Bits(bit, 8) & zero;  // as many bits as there are registers
  if (number == zero) return ValueOf(0);
  return {.kind = Operand::Kind::kRegister, .location = (uniform ? kUniform : kVector) + number};
}

Operand LaunchEvaluator::Constant(std::uint32_t bank, std::uint32_t offset) const {
  if (bank != 0) return {};
  const auto& at = cubin::ArchitectureOf(code_.sm).bank;
  const auto of = [offset](std::uint32_t base, const LaunchSize::Dim3& size) {
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
  return Register(word, 24, IsUniform(word));
}

Operand LaunchEvaluator::Second(const Word& word) const {
  switch (word.form()) {
    case 1:
      return Register(word, 32, IsUniform(word));
    case 2:
    case 3:
    case 7:
      return Register(word, 64, IsUniform(word));
    case 4:
      return ValueOf(SignedOf(word.Bits(32, 32)));
    case 5:
      return Constant(word.Bits(54, 5), word.Bits(38, 16));
    case 6:
      return Register(word, 32, true);
    default:
      return {};
  }
}

Operand LaunchEvaluator::Third(const Word& word) const {
  switch (word.form()) {
    case 2:
      return ValueOf(SignedOf(word.Bits(32, 32)));
    case 3:
      return Constant(word.Bits(54, 5), word.Bits(38, 16));
    case 7:
      return Register(word, 32, true);
    default:
      return Register(word, 64, IsUniform(word));
  }
}

std::optional<double> LaunchEvaluator::Before(std::uint32_t block, std::uint32_t n,
                                              unsigned location) {
  const Known known = Reaching(block, n, location);
  return known.any && known.all ? std::optional(known.greatest) : std::nullopt;
}

std::optional<double> LaunchEvaluator::Of(const Operand& operand, std::uint32_t block,
                                          std::uint32_t n) {
  if (operand.kind == Operand::Kind::kNone) return std::nullopt;
  if (operand.kind == Operand::Kind::kValue) return operand.value;
  const Known known = Reaching(block, n, operand.location);
  return known.any && known.all && !known.stepped ? std::optional(known.greatest) : std::nullopt;
}

LaunchEvaluator::Known LaunchEvaluator::KnownOf(const Operand& operand, std::uint32_t block,
                                                std::uint32_t n) {
  if (operand.kind == Operand::Kind::kRegister) return Reaching(block, n, operand.location);
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
    case opcode::kHfma2Mma: {  // how ptxas sets a constant: 0 × 0 + constant
      const bool is_constant = word.form() == 2 && word.Bits(24, 8) == kZeroRegister &&
                               word.Bits(64, 8) == kZeroRegister;
      return is_constant ? KnownOf(Third(word), block, n) : Unknown();
    }
    case opcode::kR2ur:
      return KnownOf(Register(word, 24, false), block, n);
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
  const std::optional<Arithmetic> arithmetic = ArithmeticOf(word);
  if (!arithmetic) return Unknown();
  const bool is_upper = location != word.Bits(16, 8) + (location >= kUniform ? kUniform : kVector);
  if (is_upper && arithmetic->has_upper_word) return {.any = true};
  return Combined(word, *arithmetic, block, n);
}

LaunchEvaluator::Known LaunchEvaluator::Combined(const Word& word, const Arithmetic& arithmetic,
                                                 std::uint32_t block, std::uint32_t n) {
  const Operand operands[3] = {First(word), Second(word), Third(word)};
  Known values[3];
  Known result{.any = true};
  for (int i = 0; i < arithmetic.operands; ++i) {
    values[i] = KnownOf(operands[i], block, n);
    result.any = result.any && values[i].any;
    result.all = result.all && values[i].all;
    result.stepped = result.stepped || values[i].stepped;
  }
  if (result.any && result.all) {
    result.greatest = Wrapped(
        arithmetic.function(word, values[0].greatest, values[1].greatest, values[2].greatest));
  }
  return result;
}

}  // namespace coalcheck::machine_code
