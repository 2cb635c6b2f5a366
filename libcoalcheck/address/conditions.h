// SPDX-License-Identifier: Apache-2.0
//
// What conditions on a launch's unknown arguments say of them where they hold: behind `if (x < n)`,
// which lanes 0 to 31 come through, n is 32 at least.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "libcoalcheck/address/lane_values.h"
#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/ptx/opcode.h"

namespace coalcheck::address {

// One of a chain of facts: `symbol` is `least` at least.
struct Bound {
  const Bound* outer = nullptr;
  Form symbol = kNoForm;
  std::int64_t least = 0;
  std::uint32_t length = 1;  // of the chain
};

class Conditions {
 public:
  // What takes long counts as steps of the warp, which are taken from `steps`.
  Conditions(Unknowns& unknowns, std::uint64_t& steps) : unknowns_(unknowns), steps_(steps) {}

  // Notes how an unknown predicate is computed. It is kept only if arguments of the launch alone
  // decide it.
  void Note(Form predicate, const ptx::Opcode& code, const std::array<Value, 4>& sources);

  // `bounds`, and what follows where the predicate holds, or does not hold, in all of these lanes.
  const Bound* With(const Bound* bounds, const LaneValues& predicate, LaneMask lanes, bool holds);

  // Whether the predicate, which arguments of the launch decide, holds (or does not) for these
  // lanes together where the arguments are large enough: where it compares them with a bound, or
  // leaves out one lane. Where nobody knows, it is taken to.
  bool LetsNeighboursThrough(const LaneValues& predicate, LaneMask lanes, bool holds);

  // Whether arguments of the launch alone make it up.
  bool IsOfLaunch(Form form) const;
  // The symbol of the product of two symbols.
  Form ProductOf(Form a, Form b);
  // A new warp begins: all chains end.
  void Forget() { bounds_.clear(); }
  // What a chain says of a symbol, or of the factors of a product; 0 where it says nothing, since
  // arguments are no negative numbers.
  std::int64_t LeastOf(const Bound* bounds, Form symbol) const {
    return LeastOf(bounds, symbol, 0);
  }

 private:
  struct Condition {
    ptx::Opcode code;
    std::array<Value, 4> sources;
  };
  using OfLanes = std::vector<Value>;  // one of each lane
  bool LetsThrough(const OfLanes& predicates, bool holds, int depth);
  static bool ComparisonLetsThrough(const std::vector<const Condition*>& lanes, bool holds);
  const Bound* WithOne(const Bound* bounds, Value predicate, bool holds, int depth);
  const Bound* WithComparison(const Bound* bounds, const Condition& condition, bool holds);
  std::int64_t LeastOf(const Bound* bounds, Form symbol, int depth) const;  // in products
  // So many bounds were looked at.
  void Charge(std::uint64_t looks);

  Unknowns& unknowns_;
  std::uint64_t& steps_;
  std::uint64_t looks_ = 0;                          // that are no step yet
  absl::flat_hash_map<Form, Condition> conditions_;  // by predicate
  absl::flat_hash_map<Form, std::pair<Form, Form>> products_;
  std::deque<Bound> bounds_;  // which chains are made of
};

}  // namespace coalcheck::address
