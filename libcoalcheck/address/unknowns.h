// SPDX-License-Identifier: Apache-2.0
//
// Values that only a run knows, as symbols: what a load brings, what is computed from it. A lane's
// value is a number plus a sum of symbols, so that `start[row] + lane` keeps its lane.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "libcoalcheck/base/units.h"

namespace coalcheck::address {

// Where a symbol comes from.
struct Origin {
  enum class Kind : std::uint8_t {
    kLoaded,       // a load brought it: place is the instruction
    kAtomic,       // an atomic operation returned it: place is the instruction
    kParameter,    // a launch's argument that is not known: place is its offset
    kVariable,     // where a variable of the module lies: place is the symbol
    kNotComputed,  // by an instruction that is not interpreted: place is the instruction
  };
  Kind kind = Kind::kLoaded;
  std::uint32_t place = 0;

  // Whether it is what memory held while the kernel ran.
  bool IsData() const { return kind == Kind::kLoaded || kind == Kind::kAtomic; }
  friend auto operator<=>(const Origin&, const Origin&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const Origin& origin) {
    return H::combine(std::move(state), origin.kind, origin.place);
  }
};

// A sum of symbols with coefficients modulo 2^64; 0 is the empty sum.
using Form = std::uint32_t;
inline constexpr Form kNoForm = 0;

// A set of origins; 0 is the empty one.
using Origins = std::uint32_t;

struct Value {
  std::uint64_t bits = 0;  // zero-extended from the width of its type
  Form form = kNoForm;     // is added to them
  friend bool operator==(const Value&, const Value&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const Value& value) {
    return H::combine(std::move(state), value.bits, value.form);
  }
};

class Unknowns {
 public:
  Unknowns();

  // What a symbol stands for; `what` of its key is named behind it.
  enum class Of : std::uint8_t {
    kOperation,   // a result: the operation
    kLoad,        // what memory holds: the instruction
    kArgument,    // of the launch: its offset
    kSpecial,     // a special register
    kVariable,    // where a variable lies
    kUndefined,   // what a register holds that nothing was written to: its slot
    kOneOf,       // one of two values
    kKept,        // a new value, or the one that a register had: the register
    kProduct,     // of two symbols
    kSum,         // of two sums
    kLeftRounds,  // of a loop, how many were left out: the block from which it is left
    kVote,        // the instruction, as of those below
    kReduction,
    kWarp,     // the same for all lanes
    kMeeting,  // the same for all lanes that meet
  };
  // What identifies a symbol: the same key gives the same symbol.
  struct Key {
    Of of = Of::kOperation;
    std::uint64_t what = 0;
    std::uint64_t which = 0;  // its execution, a rule of its own
    std::array<Value, 4> operands{};
    friend bool operator==(const Key&, const Key&) = default;

    template <typename H>
    friend H AbslHashValue(H state, const Key& key) {
      state = H::combine(std::move(state), key.of, key.what, key.which);
      // Most have one or two operands.
      for (const Value& operand : key.operands) {
        if (operand != Value{}) state = H::combine(std::move(state), operand);
      }
      return state;
    }
  };
  // One times the symbol of `key`, which has `origins` if it is new.
  Form Symbol(const Key& key, Origins origins);
  // A symbol for each lane of a warp: the form of lane 0, that of lane i is i higher. They are new,
  // or those of `key`, of whose operands those in `of_lanes` (bit i: operand i) are symbols of
  // lanes.
  Form LaneSymbols(Origins origins);
  Form LaneSymbols(const Key& key, std::uint32_t of_lanes, Origins origins);
  // Whether one of its symbols is a lane's.
  bool NamesLane(Form form) const;
  // Whether the form is that of lane 0.
  static bool IsOfFirstLane(Form form) {
    return form >= kFirstOfLanes && (form - kFirstOfLanes) % kWarpSize == 0;
  }

  // A symbol, taken so many times.
  struct Multiple {
    Form symbol = kNoForm;
    std::int64_t factor = 0;
  };
  // Empty where it is a sum of several, or of symbols of lanes.
  std::optional<Multiple> AsMultiple(Form form) const;
  // What it is a sum of; empty where there are more than so many, or symbols of lanes.
  static constexpr std::size_t kMostMultiples = 6;
  using Multiples = absl::InlinedVector<Multiple, kMostMultiples>;
  Multiples MultiplesOf(Form form) const;

  Form Add(Form a, Form b);
  Form Scale(Form form, std::uint64_t factor);
  // Divided by a factor of all its coefficients.
  Form Divide(Form form, std::uint64_t divisor);
  // How many times all coefficients can be halved: 64 for the empty sum.
  unsigned TrailingZeros(Form form) const;
  // Whether all coefficients, taken with their sign, are multiples of `divisor`.
  bool IsMultiple(Form form, std::uint64_t divisor) const;

  Origins One(Origin origin);
  Origins Join(Origins a, Origins b);
  Origins OriginsOf(Form form) const {
    return form < kFirstOfLanes ? forms_[form].origins
                                : lane_origins_[(form - kFirstOfLanes) / kWarpSize];
  }
  std::span<const Origin> List(Origins origins) const { return sets_[origins]; }

  // More symbols than that are not told apart: whoever evaluates has to stop.
  bool IsFull() const { return size() > kMostForms; }
  std::size_t size() const { return forms_.size() + sets_.size() + lane_origins_.size(); }

 private:
  static constexpr std::size_t kMostForms = 1U << 19U;
  // Symbols of lanes are not kept one by one: the number of one is that of its form.
  static constexpr Form kFirstOfLanes = Form{1} << 31U;
  static constexpr std::size_t kMostTerms = 12;    // of one sum; a longer one is a new symbol
  static constexpr std::size_t kMostOrigins = 16;  // of one set; further ones are left out

  struct Term {
    std::uint32_t symbol = 0;
    std::uint64_t coefficient = 0;
    friend bool operator==(const Term&, const Term&) = default;

    template <typename H>
    friend H AbslHashValue(H state, const Term& term) {
      return H::combine(std::move(state), term.symbol, term.coefficient);
    }
  };
  using Terms = absl::InlinedVector<Term, 2>;
  struct Entry {
    Terms terms;
    Origins origins = 0;
  };

  Form Intern(Terms terms, Origins origins);
  // Empty for a symbol of lanes.
  std::optional<Multiple> AsMultiple(const Term& term) const;
  // `own` is where the one term of a lane's symbol is put.
  std::span<const Term> TermsOf(Form form, Term& own) const;

  std::vector<Entry> forms_;
  absl::flat_hash_map<Terms, Form> form_ids_;
  absl::flat_hash_map<Key, Form> symbols_;
  std::vector<Form> symbol_forms_;  // of each symbol, taken once
  absl::flat_hash_map<std::pair<Key, std::uint32_t>, Form> lane_symbols_;
  std::vector<Origins> lane_origins_;  // of each 32 symbols of lanes
  absl::flat_hash_map<std::pair<Form, Form>, Form> sums_;
  absl::flat_hash_map<std::pair<Form, std::uint64_t>, Form> products_;
  using OriginSet = absl::InlinedVector<Origin, 4>;
  std::vector<OriginSet> sets_;
  absl::flat_hash_map<OriginSet, Origins> set_ids_;
  absl::flat_hash_map<std::pair<Origins, Origins>, Origins> joined_;
};

}  // namespace coalcheck::address
