// SPDX-License-Identifier: Apache-2.0
//
// What is left of a report when two of them are to be compared: each place's identity and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/result.h"
#include "libcoalcheck/findings/known_finding.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::comparison {

using findings::WasteRate;

struct Measured {
  Fingerprint fingerprint;
  Fingerprint anchor;
  std::string kind;  // "load"
  std::string path;  // as shown; empty without line information
  std::uint32_t line = 0;
  std::string kernel;       // without template arguments
  std::string text;         // of the line, normalized; empty when it was not known
  bool is_finding = false;  // excused ones too
  bool is_known = true;     // else a prediction could not say what it wastes
  bool in_scope = true;
  Counts counts;
  bool has_requests = true;
  std::optional<findings::RateAlone> worst;  // of several recordings; not in a JSON report
  Launches launches_checked;                 // of its kernels
  std::optional<double> waiting;  // share of the program's samples that wait for wasted sectors

  WasteRate waste() const { return findings::WasteRateOf(counts, has_requests); }
  double WastedPerLaunch() const { return Per(counts.Wasted(), launches_checked); }
};

struct MeasuredRun {
  std::string name;
  std::vector<Measured> places;
  std::set<std::string> kernels;  // checked or predicted, named as places name them
  bool is_predicted = false;      // no launch was counted
  Launches launches;
  Launches launches_checked;
  bool has_cost = false;
  std::vector<std::string> notes;  // sentences: what its verdict rests on beside the counts
  std::string incomplete;          // why findings may be missing; empty where none is
  std::string not_collected;       // why the counters could not be collected
  std::optional<double>
      min_wasted_share;  // from which on waste is a finding, where no rule says so
};

MeasuredRun Measure(const findings::Report& report, std::string name);

// The same for a report written as JSON. Error: why it cannot be compared.
Result<MeasuredRun> ReadJsonReport(std::string_view bytes, std::string name);

}  // namespace coalcheck::comparison
