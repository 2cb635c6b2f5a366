// SPDX-License-Identifier: Apache-2.0
//
// The `expect:` comments of the samples; samples/README.md has their grammar in words.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::support {

// Both ends belong to it.
struct Range {
  double low = 0;
  double high = 0;
  // Averages are divisions of integers: the rounding of one is allowed for.
  bool Contains(double value) const;
};

// What must be true of the accesses of one kind on one line.
struct Expectation {
  std::string file;  // "samples/a/a.cu"
  std::uint32_t line = 0;
  std::string kind;  // as reports write it: "load", "async copy", …
  bool clean = false;
  std::map<std::string, Range> per_request;  // by key: sectors, ideal, lines, lanes
  std::string pattern;                       // empty: any; see FitsPattern
  std::optional<std::uint64_t> sites;        // accesses on this line in each kernel
  std::vector<std::string> kernels;          // parts of kernel names; empty: all kernels

  // "samples/a/a.cu:19: store", for messages.
  std::string Where() const;
};

// Whether the class of patterns that a report names is the expected one. Without a parameter,
// "a|b", it is expected with any, "a|b:12".
bool FitsPattern(const std::string& expected, const std::string& reported);

// What the comments in `text` expect; a comment on lines of its own is about the next line with
// code. Errors name the file and line: kInvalidArgument.
absl::StatusOr<std::vector<Expectation>> ParseExpectations(const std::string& file,
                                                           std::string_view text);

}  // namespace coalcheck::support
