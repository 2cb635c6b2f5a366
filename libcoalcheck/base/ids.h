// SPDX-License-Identifier: Apache-2.0
//
// Identities that cannot be mixed up: a cubin's hash is not a program counter.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coalcheck {

template <typename Tag, typename Value>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(Value value) : value_(value) {}
  constexpr Value value() const { return value_; }
  friend constexpr auto operator<=>(Id, Id) = default;

  template <typename H>  // absl::Hash
  friend H AbslHashValue(H state, Id id) {
    return H::combine(std::move(state), id.value_);
  }

 private:
  Value value_{};
};

// XXH3-64 of a cubin's whole content. A SASS-metrics record carries only its low 32 bits
// (`cubinCrc`), which is why the agent, not the reader, joins the two.
using CubinId = Id<struct CubinIdTag, std::uint64_t>;
// Byte offset of an instruction from the start of its function.
using PcOffset = Id<struct PcOffsetTag, std::uint32_t>;
// Ordinal of a window, context or launch in its process, from 1.
using WindowId = Id<struct WindowIdTag, std::uint64_t>;
using ContextId = Id<struct ContextIdTag, std::uint64_t>;
using LaunchOrdinal = Id<struct LaunchOrdinalTag, std::uint64_t>;
// A set of ranges that were open together, numbered in its process from 1; 0: none was open.
using RangeSetId = Id<struct RangeSetIdTag, std::uint32_t>;
// A stretch of PC sampling, numbered in its process from 1.
using PcSamplingId = Id<struct PcSamplingIdTag, std::uint64_t>;
// A stall reason: its place in PcSampling::reasons.
using StallReason = Id<struct StallReasonTag, std::uint32_t>;
// CUDA's device ordinal in its process.
using DeviceIndex = Id<struct DeviceIndexTag, std::uint32_t>;

// What is left of a place in the source when the build, its folder and the lines around it change.
using Fingerprint = Id<struct FingerprintTag, std::uint64_t>;

// Sixteen lower-case hexadecimal digits, the form used in recordings and file names.
std::string ToHex(CubinId id);
std::string ToHex(Fingerprint fingerprint);
std::optional<CubinId> CubinIdFromHex(std::string_view hex);
std::optional<Fingerprint> FingerprintFromHex(std::string_view hex);
// The identity of `content`.
CubinId HashCubin(std::string_view content);
// The fingerprint that `description` stands for.
Fingerprint FingerprintOf(std::string_view description);

}  // namespace coalcheck

template <typename Tag, typename Value>
struct std::hash<coalcheck::Id<Tag, Value>> {
  std::size_t operator()(coalcheck::Id<Tag, Value> id) const {
    return std::hash<Value>{}(id.value());
  }
};
