// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the dozen instructions that compute masks; their fields were compared with nvdisasm.
// Any other instruction makes the values that it writes unknown.
#include "libcoalcheck/machine_code/lane_values.h"

#include <set>

#include "libcoalcheck/cubin/architecture.h"
#include "libcoalcheck/machine_code/bit_functions.h"
#include "libcoalcheck/machine_code/opcodes.h"

namespace coalcheck::machine_code {
namespace {

constexpr unsigned kRegisterOfZeros = 255;  // RZ
constexpr unsigned kPredicateOfTruth = 7;   // PT
constexpr unsigned kFirstGuardBit = 12;     // what an instruction is executed under
constexpr unsigned kFirstSourcePredicate = 87;
constexpr unsigned kFirstWrittenPredicate = 81;
// What a mask is made of is a few instructions.
constexpr int kMostDepth = 16;

template <typename Function>
LaneValues ForEachLane(Function function) {
  LaneValues values{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) values[lane] = function(lane);
  return values;
}

LaneValues InEachLane(std::uint32_t value) {
  return ForEachLane([value](std::uint32_t) { return value; });
}

std::optional<bool> ComparisonOf(const Word& word, std::uint32_t a, std::uint32_t b) {
  const bool is_signed = word.Bits(73, 1) != 0;
  const std::int64_t left = is_signed ? static_cast<std::int32_t>(a) : std::int64_t{a};
  const std::int64_t right = is_signed ? static_cast<std::int32_t>(b) : std::int64_t{b};
  switch (word.Bits(76, 3)) {
    case 1:
      return left < right;
    case 2:
      return left == right;
    case 3:
      return left <= right;
    case 4:
      return left > right;
    case 5:
      return left != right;
    case 6:
      return left >= right;
    default:
      return std::nullopt;
  }
}

bool IsOfPairs(const Word& word, std::uint32_t sm) {
  return cubin::ArchitectureOf(sm).has_register_pairs && word.Bits(80, 1) != 0;
}

bool HasPlainRegister(const Word& word) { return word.Bits(40, 24) == 0; }

}  // namespace

std::optional<LaneValues> LaneEvaluator::Before(std::uint32_t n, unsigned location) {
  if (depth_ >= kMostDepth) return std::nullopt;
  ++depth_;
  const auto& blocks = code_.blocks;
  Value all;
  bool agree = true;
  const auto add = [&](const Value& one) {
    agree = agree && one && (!all || *all == *one);
    all = one;
  };
  // The definitions that reach here, each from the end of a block or a call backwards.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{section_.block_of[n], n}};
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  while (agree && !open.empty()) {
    const auto [block, end] = open.back();
    open.pop_back();
    std::uint32_t at = end;
    while (at > blocks[block].begin && steps_left_ > 0 && !code_.MayWrite(at - 1, location)) {
      --at;
      --steps_left_;
    }
    if (at > blocks[block].begin) {
      add(steps_left_ > 0 ? Written(at - 1, location) : std::nullopt);
      continue;
    }
    const auto entry = section_.entries.find(block);
    if (entry != section_.entries.end() && entry->second.empty()) agree = false;
    const auto go_on = [&](std::pair<std::uint32_t, std::uint32_t> from) {
      agree = agree && steps_left_ > 0;
      if (!agree) return;
      --steps_left_;
      if (seen.insert(from).second) open.push_back(from);
    };
    for (const std::uint32_t from : blocks[block].predecessors) go_on({from, blocks[from].end});
    if (entry == section_.entries.end()) continue;
    for (const std::uint32_t call : entry->second) go_on({section_.block_of[call], call});
  }
  --depth_;
  return agree ? all : std::nullopt;
}

LaneEvaluator::Value LaneEvaluator::Written(std::uint32_t n, unsigned location) {
  const auto [known, fresh] = known_.try_emplace({n, location});
  if (!fresh) return known->second;
  const Word& word = code_.words[n];
  const bool is_predicate = location >= kPredicate && location < kUniformPredicate;
  const bool is_first_predicate =
      is_predicate && word.Bits(kFirstWrittenPredicate, 3) == location - kPredicate;
  const bool is_uniform = location >= kUniform && location < kPredicate;
  Value value;
  if (is_first_predicate) value = ComputedPredicate(n);
  if (location < kUniform) value = Computed(n);
  if (is_uniform && word.opcode() == opcode::kUmov && !word.is_guarded()) value = Computed(n);
  if (value && word.is_guarded()) {
    const Value guard = Predicate(n, kFirstGuardBit);
    const Value old = guard ? Before(n, location) : std::nullopt;
    const Value written = value;
    value = std::nullopt;
    if (old) {
      value = ForEachLane([&](auto lane) { return ((*guard)[lane] != 0 ? *written : *old)[lane]; });
    }
  }
  return known_[{n, location}] = value;
}

// Three bits name it, and one turns it around.
LaneEvaluator::Value LaneEvaluator::Predicate(std::uint32_t n, unsigned first_bit) {
  const Word& word = code_.words[n];
  const std::uint32_t number = word.Bits(first_bit, 3);
  const std::uint32_t turned = word.Bits(first_bit + 3, 1);
  const Value value = number == kPredicateOfTruth ? InEachLane(1) : Before(n, kPredicate + number);
  if (!value) return std::nullopt;
  return ForEachLane([&](auto lane) { return (*value)[lane] ^ turned; });
}

LaneEvaluator::Value LaneEvaluator::Register(std::uint32_t n, unsigned first_bit) {
  const std::uint32_t number = code_.words[n].Bits(first_bit, 8);
  return number == kRegisterOfZeros ? InEachLane(0) : Before(n, kVector + number);
}

LaneEvaluator::Value LaneEvaluator::Uniform(std::uint32_t n) {
  const Word& word = code_.words[n];
  return HasPlainRegister(word) ? Before(n, kUniform + word.Bits(32, 8)) : std::nullopt;
}

// At bit 32, of the kind that the form says; where the third operand is there, at bit 64.
LaneEvaluator::Value LaneEvaluator::SecondOperand(std::uint32_t n) {
  const Word& word = code_.words[n];
  switch (word.form()) {
    case 1:  // a negated or complemented one is not followed
      return HasPlainRegister(word) ? Register(n, 32) : std::nullopt;
    case 2:
    case 3:
    case 7:
      return Register(n, 64);
    case 4:
      return InEachLane(word.Bits(32, 32));
    case 6:
      return Uniform(n);
    default:
      return std::nullopt;
  }
}

LaneEvaluator::Value LaneEvaluator::ThirdOperand(std::uint32_t n) {
  const Word& word = code_.words[n];
  switch (word.form()) {
    case 2:
      return InEachLane(word.Bits(32, 32));
    case 3:
      return std::nullopt;
    case 7:
      return Uniform(n);
    default:
      return Register(n, 64);
  }
}

LaneEvaluator::Value LaneEvaluator::SpecialRegister(std::uint32_t number) const {
  switch (number) {
    case 0x00:  // SR_LANEID
      return ForEachLane([](auto lane) { return lane; });
    case 0x21:  // SR_TID.X
      return ForEachLane([this](auto lane) { return lane % row_length_; });
    case 0x38:  // SR_EQMASK
      return ForEachLane([](auto lane) { return 1U << lane; });
    case 0x39:  // SR_LTMASK
      return ForEachLane([](auto lane) { return (1U << lane) - 1; });
    case 0x3a:  // SR_LEMASK
      return ForEachLane([](auto lane) { return (2U << lane) - 1; });
    case 0x3b:  // SR_GTMASK
      return ForEachLane([](auto lane) { return ~((2U << lane) - 1); });
    case 0x3c:  // SR_GEMASK
      return ForEachLane([](auto lane) { return ~((1U << lane) - 1); });
    default:
      return std::nullopt;
  }
}

template <typename Function>
LaneEvaluator::Value LaneEvaluator::Combined(std::uint32_t n, Function function) {
  const Value a = Register(n, 24);
  const Value b = a ? SecondOperand(n) : std::nullopt;
  const Value c = b ? ThirdOperand(n) : std::nullopt;
  if (!c) return std::nullopt;
  return ForEachLane([&](auto lane) { return function((*a)[lane], (*b)[lane], (*c)[lane]); });
}

LaneEvaluator::Value LaneEvaluator::Selected(std::uint32_t n) {
  const Value chosen = Predicate(n, kFirstSourcePredicate);
  const Value a = chosen ? Register(n, 24) : std::nullopt;
  const Value b = a ? SecondOperand(n) : std::nullopt;
  if (!b) return std::nullopt;
  return ForEachLane([&](auto lane) { return ((*chosen)[lane] != 0 ? *a : *b)[lane]; });
}

LaneEvaluator::Value LaneEvaluator::Computed(std::uint32_t n) {
  const Word& word = code_.words[n];
  const std::uint32_t modifiers = word.Bits(72, 8);
  switch (word.opcode()) {
    case opcode::kS2r:
      return SpecialRegister(modifiers);
    case opcode::kMov:
    case opcode::kUmov:
      if (IsOfPairs(word, code_.sm) || word.form() == 2) return std::nullopt;
      return SecondOperand(n);
    case opcode::kHfma2:
    case opcode::kHfma2Mma: {  // how ptxas sets a constant: 0 × 0 + constant
      const bool is_constant = word.form() == 2 && word.Bits(24, 8) == kRegisterOfZeros &&
                               word.Bits(64, 8) == kRegisterOfZeros;
      return is_constant ? ThirdOperand(n) : std::nullopt;
    }
    case opcode::kViadd:
      if (modifiers != 0 || word.form() != 4) return std::nullopt;
      return Combined(n, [](auto a, auto b, auto) { return a + b; });
    case opcode::kImad:
      if ((modifiers & ~0x02U) != 0) return std::nullopt;  // but for the sign of the product
      return Combined(n, [](auto a, auto b, auto c) { return a * b + c; });
    case opcode::kIadd3: {
      constexpr std::uint32_t kNoCarry = 0xe0;
      constexpr std::uint32_t kNegateFirst = 0x01;
      constexpr std::uint32_t kNegateThird = 0x08;
      if ((modifiers & ~(kNegateFirst | kNegateThird)) != kNoCarry) return std::nullopt;
      const std::uint32_t a_sign = (modifiers & kNegateFirst) != 0 ? ~0U : 1U;
      const std::uint32_t c_sign = (modifiers & kNegateThird) != 0 ? ~0U : 1U;
      return Combined(n, [=](auto a, auto b, auto c) { return a * a_sign + b + c * c_sign; });
    }
    case opcode::kLop3:
      return Combined(n, [=](auto a, auto b, auto c) { return LogicOf(modifiers, a, b, c); });
    case opcode::kShf:
      if (!ShiftOf(word, 0, 0, 0)) return std::nullopt;
      return Combined(n, [&](auto a, auto b, auto c) { return *ShiftOf(word, a, b, c); });
    case opcode::kSel:
      return IsOfPairs(word, code_.sm) ? std::nullopt : Selected(n);
    default:
      return std::nullopt;
  }
}

// What a comparison, or a LOP3 that asks whether bits are left, writes to its first predicate.
LaneEvaluator::Value LaneEvaluator::ComputedPredicate(std::uint32_t n) {
  const Word& word = code_.words[n];
  const std::uint32_t combined_with = word.Bits(kFirstSourcePredicate, 4);
  if (word.opcode() == opcode::kLop3) {
    constexpr std::uint32_t kOrFalse = 0xf;  // !PT
    if (combined_with != kOrFalse || word.Bits(80, 1) != 0) return std::nullopt;
    const Value bits = Computed(n);
    if (!bits) return std::nullopt;
    return ForEachLane([&](auto lane) { return (*bits)[lane] != 0 ? 1U : 0U; });
  }
  const bool is_plain = word.Bits(72, 1) == 0 && word.Bits(74, 2) == 0 &&
                        combined_with == kPredicateOfTruth && !IsOfPairs(word, code_.sm);
  if (word.opcode() != opcode::kIsetp || !is_plain || !ComparisonOf(word, 0, 0)) {
    return std::nullopt;
  }
  const Value a = Register(n, 24);
  const Value b = a ? SecondOperand(n) : std::nullopt;
  if (!b) return std::nullopt;
  return ForEachLane(
      [&](auto lane) { return *ComparisonOf(word, (*a)[lane], (*b)[lane]) ? 1U : 0U; });
}

}  // namespace coalcheck::machine_code
