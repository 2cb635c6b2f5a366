// SPDX-License-Identifier: Apache-2.0
//
// Findings of an earlier run, and how those of this one stand against them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/ids.h"

namespace coalcheck::findings {

// Waste that does not depend on how much was run.
struct WasteRate {
  std::optional<double> sectors_per_request;  // wasted ones; empty when requests were not counted
  double share = 0;                           // 0 to 1
  friend bool operator==(const WasteRate&, const WasteRate&) = default;
};
WasteRate WasteRateOf(const Counts& counts, bool has_requests);

// Differences of waste up to this part of the larger one do not count: the launches checked may
// differ at the edges of a grid. Two runs of the same launches do not differ at all.
inline constexpr double kDefaultTolerance = 0.01;

enum class Trend { kBetter, kSame, kWorse };
// By wasted sectors per request, or by the wasted share where one of both has no requests.
Trend TrendOf(const WasteRate& before, const WasteRate& after, double tolerance);

// A line of a baseline. The fingerprint identifies it; the other columns are for people who review
// the file.
struct KnownFinding {
  Fingerprint fingerprint;
  WasteRate waste;
  std::string kind;
  std::string path;    // empty without line information
  std::string kernel;  // without template arguments
  std::string text;    // of the line, normalized
  friend bool operator==(const KnownFinding&, const KnownFinding&) = default;
};

// Why what the thresholds call a finding fails nothing.
struct Excuse {
  enum class By { kBaseline, kSuppression };
  By by = By::kBaseline;
  std::string reason;
  bool in_source = false;  // a comment beside the line says so
};
std::string_view ToString(Excuse::By by);  // "baseline", "suppression"

// A report held against a baseline.
struct BaselineCheck {
  struct Improved {
    KnownFinding known;
    WasteRate now;
    bool is_finding = false;
  };
  std::string file;
  bool is_predicted = false;  // what it knows was predicted, and not counted
  std::uint64_t fresh = 0;    // findings that it does not know
  std::uint64_t worse = 0;    // that waste more than it says
  std::uint64_t known = 0;    // that it knows, the improved ones among them
  std::vector<Improved> improved;
  std::vector<KnownFinding> vanished;  // their kernels were checked, and the lines are not there
  // Nothing is known of these: their kernels were not checked, or the text that they are known by
  // could not be read.
  std::vector<KnownFinding> not_seen;
  bool taken_over = false;          // what is better or gone is, by whoever asked for this report
  std::uint64_t lines_unknown = 0;  // places in scope whose source text could not be read
};

}  // namespace coalcheck::findings
