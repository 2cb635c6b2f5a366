// SPDX-License-Identifier: Apache-2.0
//
// The accesses that a report, or a sample's own count, tells of.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::support {

struct ObservedAccess {
  std::string file;  // from "samples/" on, when that is in it; empty without line information
  std::uint32_t line = 0;
  std::string kernel;  // without return type and parameters: "copy<2>"
  std::string kind;
  bool is_finding = false;
  std::uint64_t launches_checked = 0;
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;
  std::uint64_t sectors = 0;
  std::uint64_t ideal_sectors = 0;
  std::uint64_t lines = 0;
  // Classes of patterns, the most wasteful first, joined by '/'; none in a sample's own count.
  std::optional<std::string> pattern;

  // "samples/a/a.cu:19: store in copy<2>", for messages.
  std::string Where() const;
};

// What `coalcheck report --format json` wrote.
absl::StatusOr<std::vector<ObservedAccess>> AccessesOfReport(std::string_view json);
// What a sample wrote with `--count`; `is_finding` by the default threshold of reports.
absl::StatusOr<std::vector<ObservedAccess>> AccessesOfCount(std::string_view json);

}  // namespace coalcheck::support
