// SPDX-License-Identifier: Apache-2.0
//
// What PTX instructions compute from values that a run alone knows: sums stay sums, everything else
// becomes a symbol of its own. Index arithmetic is taken not to overflow, which a program with its
// addresses in bounds guarantees; counts would contradict the rest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "libcoalcheck/address/compute.h"
#include "libcoalcheck/address/conditions.h"
#include "libcoalcheck/address/lane_values.h"
#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/ptx/opcode.h"

namespace coalcheck::address {

class Linear {
 public:
  // `conditions` is told of predicates that nobody knows.
  Linear(Unknowns& unknowns, Conditions& conditions)
      : unknowns_(unknowns), conditions_(conditions) {}

  // Of one lane; at least one source has a form. `place`: the instruction, which is where a value
  // comes from when it is not interpreted.
  Value Compute(const ptx::Opcode& code, Computation compute, const std::array<Value, 4>& sources,
                std::uint32_t place);

  // What `code` gives for `sources` when nothing more is known: equal sources, equal symbol.
  Value Opaque(const ptx::Opcode& code, const std::array<Value, 4>& sources, std::uint32_t place);

  // The same for all lanes at once, where some sources are symbols of lanes and the result is, too:
  // lane 0's. Nothing: ask lane by lane.
  std::optional<Value> LaneSymbols(const ptx::Opcode& code, Computation compute,
                                   const std::array<Common, 4>& sources, std::uint32_t place);
  // Of what no rule computes: the form of lane 0.
  Form OpaqueLanes(const ptx::Opcode& code, const std::array<Common, 4>& sources,
                   std::uint32_t place);

 private:
  using Sources = std::array<Value, 4>;
  static Unknowns::Key KeyOf(const ptx::Opcode& code, const Sources& sources, std::uint32_t place);
  Origins OriginsOf(const Sources& sources, std::uint32_t place);
  std::optional<Value> Sum(const ptx::Opcode& code, const Sources& sources);
  std::optional<Value> Logic(const ptx::Opcode& code, Value a, Value b);
  std::optional<Value> Quotient(const ptx::Opcode& code, Value a, std::uint64_t divisor);
  std::optional<Value> Remainder(const ptx::Opcode& code, Value a, std::uint64_t divisor);
  std::optional<Value> ByNumber(const ptx::Opcode& code, Value a, std::uint64_t number);
  std::optional<Value> Comparison(const ptx::Opcode& code, Computation compute,
                                  const Sources& sources);
  std::optional<Value> Conversion(const ptx::Opcode& code, Value a);
  std::optional<Value> Rule(const ptx::Opcode& code, Computation compute, const Sources& sources);
  Value Product(const ptx::Opcode& code, Value a, std::uint64_t factor);
  std::optional<Value> ProductOfLaunch(const ptx::Opcode& code, Value a, Value b);
  unsigned TrailingZeros(Value value) const;

  Unknowns& unknowns_;
  Conditions& conditions_;
};

}  // namespace coalcheck::address
