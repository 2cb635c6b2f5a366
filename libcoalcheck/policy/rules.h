// SPDX-License-Identifier: Apache-2.0
//
// What a project calls a finding: thresholds, for everything and for some, and suppressions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/patterns/pattern.h"
#include "libcoalcheck/policy/date.h"
#include "libcoalcheck/selection/glob.h"
#include "libcoalcheck/selection/kernel_pattern.h"
#include "libcoalcheck/selection/range_filter.h"

namespace coalcheck::policy {

// An access is a finding when it wastes a sector, reaches every minimum, and, where there are
// maxima, exceeds one of them. Minimums that grow with the number of launches are per launch
// checked.
enum class Key {
  kMinWastedShare,        // percent of the sectors touched
  kMinRequests,           // per launch
  kMinWastedBytes,        // per launch
  kMinCost,               // percent of the program's samples that wait for the wasted sectors
  kMaxWastedShare,        // percent
  kMaxSectorsPerRequest,  //
};
inline constexpr std::size_t kKeys = 6;
std::string_view ToString(Key key);  // "min-wasted-share"
// "%", "bytes per launch", …
std::string_view UnitOf(Key key);
// The largest value that means something.
double MostOf(Key key);

struct Limit {
  double value = 0;    // in the key's unit
  std::string origin;  // "default", "command line", "coalcheck.toml:4"
};
using Thresholds = std::array<std::optional<Limit>, kKeys>;

// What a rule is about: every list that is not empty must match with one of its members.
struct Selector {
  std::vector<selection::Glob> files;               // of the path shown
  std::vector<selection::KernelPattern> functions;  // of any function of the inline chain
  std::vector<selection::KernelPattern> kernels;    //
  std::vector<selection::RangeFilter> ranges;       // that every launch counted was made in
  std::vector<patterns::Pattern> patterns;          // that an instruction has for certain
  // Of the cubin that each instruction lies in: its id, or each program that loaded it, by path or
  // name.
  std::vector<selection::Glob> modules;

  bool IsEmpty() const {
    return files.empty() && functions.empty() && kernels.empty() && ranges.empty() &&
           patterns.empty() && modules.empty();
  }
};

struct Rule {
  Selector selector;
  Thresholds thresholds;
  std::string origin;  // "coalcheck.toml:8"
};

struct Suppression {
  Selector selector;
  std::string reason;
  std::optional<Date> until;  // the last day it holds
  std::string origin;         // "coalcheck.toml:12"
};

struct Rules {
  std::string file;         // that they were read from; empty: none
  Thresholds defaults;      // of the project, over those built in
  std::vector<Rule> rules;  // later ones win, key by key
  std::vector<Suppression> suppressions;
  Thresholds command_line;  // over all of these
  std::size_t min_launches = 0;
  Date today;
};

}  // namespace coalcheck::policy
