// SPDX-License-Identifier: Apache-2.0
//
// The NVTX ranges, and regions of the C API, that a launch was made in.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace coalcheck {

// Push/pop ranges nest and belong to the thread that pushed them; start/end ranges belong to the
// process, and may overlap.
enum class RangeKind { kPushPop, kStartEnd };
constexpr std::string_view ToString(RangeKind kind) {
  return kind == RangeKind::kStartEnd ? "start_end" : "push_pop";
}

struct OpenRange {
  std::string domain;  // empty: NVTX's default domain
  std::string name;
  RangeKind kind = RangeKind::kPushPop;
  friend auto operator<=>(const OpenRange&, const OpenRange&) = default;
};

// The domain of what include/coalcheck.h and the Python package push, and the range in it that
// the package puts a framework's autotuning in.
inline constexpr std::string_view kOwnDomain = "coalcheck";
inline constexpr std::string_view kAutotuningRange = "autotuning";
inline bool IsAutotuning(const OpenRange& range) {
  return range.domain == kOwnDomain && range.name == kAutotuningRange;
}

}  // namespace coalcheck
