// SPDX-License-Identifier: Apache-2.0
//
// The values of registers in the first thread of a launch, by following machine code backwards.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "libcoalcheck/base/dim3.h"
#include "libcoalcheck/machine_code/arithmetic.h"
#include "libcoalcheck/machine_code/dependence.h"

namespace coalcheck::machine_code {

// A launch, as far as its code depends on it.
struct LaunchSize {
  Dim3 grid = {};
  Dim3 block = {};
  std::string_view parameters = {};  // each at its offset; parameters behind the end are not known
};

// Where an operand's value comes from.
struct Operand {
  enum class Kind { kNone, kRegister, kValue };
  Kind kind = Kind::kNone;
  unsigned location = 0;
  bool is_negated = false;  // of a register: what it holds is subtracted
  double value = 0;
};

// What a register may hold, depending on the way that leads to an instruction.
struct Range {
  double least = 0;
  double greatest = 0;

  friend Range operator+(const Range& a, const Range& b) {
    return {a.least + b.least, a.greatest + b.greatest};
  }
  friend Range operator-(const Range& a) { return {-a.greatest, -a.least}; }
  void Include(const Range& other);
  Range Absolute() const;
};

// Over one section of code, which outlives it. Values are those of arithmetic without overflow.
// Where several definitions reach an instruction, its operand is the range of their values. A
// loop's own steps are left out.
class LaunchEvaluator {
 public:
  // `steps_left` is counted down by the work; at zero nothing is known any more.
  LaunchEvaluator(const CodeView& code, const LaunchSize& launch, std::uint64_t& steps_left)
      : code_(code), launch_(launch), steps_left_(steps_left) {}

  // The value of the register `location` before instruction number `n` of `block`. Empty: it
  // depends on memory, or on an instruction that is not evaluated.
  std::optional<Range> Before(std::uint32_t block, std::uint32_t n, unsigned location);
  // The value of an operand. Empty, too, where a loop steps it.
  std::optional<Range> Of(const Operand& operand, std::uint32_t block, std::uint32_t n);

  // The three operands of an instruction of arithmetic.
  Operand First(const Word& word) const;
  Operand Second(const Word& word) const;
  Operand Third(const Word& word) const;

 private:
  // The values of the definitions that reach an instruction. A definition by its own earlier value,
  // as in a loop, adds none.
  struct Known {
    bool any = false;
    bool all = true;
    bool stepped = false;
    Range range = {};
    void Add(const Known& other);
    void Add(std::optional<double> value);
  };
  static constexpr Known Unknown() { return {.any = true, .all = false}; }

  Known Reaching(std::uint32_t block, std::uint32_t n, unsigned location);
  Known Written(std::uint32_t block, std::uint32_t n, unsigned location);
  Known Computed(std::uint32_t block, std::uint32_t n, unsigned location);
  Known Chosen(const Word& word, std::uint32_t block, std::uint32_t n);
  Known Combined(const Word& word, const Arithmetic& arithmetic, std::uint32_t block,
                 std::uint32_t n);
  Known KnownOf(const Operand& operand, std::uint32_t block, std::uint32_t n);
  Known Loaded(const Word& word, unsigned location) const;
  Operand Register(const Word& word, unsigned bit, bool uniform) const;
  Operand SecondPlace(const Word& word) const;
  Operand Constant(std::uint32_t bank, std::uint32_t offset) const;

  const CodeView& code_;
  const LaunchSize launch_;
  std::uint64_t& steps_left_;
  // By instruction and location. An entry whose value is being evaluated has none yet.
  std::map<std::pair<std::uint32_t, unsigned>, Known> known_;
  int depth_ = 0;
};

}  // namespace coalcheck::machine_code
