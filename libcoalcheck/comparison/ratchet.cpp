// SPDX-License-Identifier: Apache-2.0
//
// Compares a report with a baseline, and tightens the baseline.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/comparison/measured.h"
#include "libcoalcheck/findings/places/excuses.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::comparison {
namespace {

using findings::Place;
using findings::Report;
using findings::Trend;
using findings::WasteRate;

KnownFinding KnownOf(const Measured& place) {
  return {place.fingerprint, place.waste(), place.kind, place.path, place.kernel, place.text};
}

// What can be compared of both, to be read.
std::string Was(const WasteRate& known, const WasteRate& now) {
  if (known.sectors_per_request && now.sectors_per_request) {
    return fmt::format("{} wasted sectors per request", words::Average(*known.sectors_per_request));
  }
  return fmt::format("{} wasted", words::Percent(known.share));
}

class Ratchet {
 public:
  Ratchet(const Baseline& baseline, std::string file, double tolerance, Report& report)
      : report_(report), run_(Measure(report, "")), tolerance_(tolerance) {
    check_.file = std::move(file);
    for (const KnownFinding& known : baseline.findings) known_[known.fingerprint] = &known;
    for (const Measured& place : run_.places) {
      if (!place.in_scope || !place.text.empty()) continue;
      ++check_.lines_unknown;
      unreadable_kernels_.insert(place.kernel);
    }
  }

  findings::BaselineCheck Run() && {
    for (std::size_t i = 0; i < run_.places.size(); ++i) Hold(run_.places[i], report_.places[i]);
    for (const auto& [fingerprint, known] : known_) {
      if (seen_.contains(fingerprint)) continue;
      const bool readable = known->text.empty() || !unreadable_kernels_.contains(known->kernel);
      const bool checked = run_.kernels.contains(known->kernel) && readable;
      (checked ? check_.vanished : check_.not_seen).push_back(*known);
    }
    return std::move(check_);
  }

 private:
  // Whether what is no finding was judged at all.
  bool IsSettled(const Place& place) const { return place.in_scope && !IsUnknown(report_, place); }

  void Hold(const Measured& measured, Place& place) {
    const auto found = known_.find(measured.fingerprint);
    if (found == known_.end()) {
      if (!place.is_finding) return;
      place.standing = "new";
      ++check_.fresh;
      return;
    }
    seen_.insert(measured.fingerprint);
    const KnownFinding& known = *found->second;
    if (!place.is_finding && !IsSettled(place)) {
      check_.not_seen.push_back(known);
      return;
    }
    const WasteRate now = measured.waste();
    const Trend trend = findings::TrendOf(known.waste, now, tolerance_);
    if (place.is_finding && trend == Trend::kWorse) {
      place.standing = fmt::format("worse: it was {}", Was(known.waste, now));
      ++check_.worse;
      return;
    }
    if (trend == Trend::kBetter || !measured.is_finding) {
      check_.improved.push_back({known, now, measured.is_finding});
    }
    if (!place.is_finding) return;
    ++check_.known;
    findings::ExcusePlace({findings::Excuse::By::kBaseline, check_.file}, place, report_.accesses);
  }

  Report& report_;
  MeasuredRun run_;
  double tolerance_;
  findings::BaselineCheck check_;
  std::map<Fingerprint, const KnownFinding*> known_;
  std::set<Fingerprint> seen_;
  std::set<std::string> unreadable_kernels_;
};

}  // namespace

Baseline BaselineOf(const Report& report) {
  Baseline baseline;
  baseline.is_predicted = report.prediction.has_value();
  const MeasuredRun run = Measure(report, "");
  for (std::size_t i = 0; i < run.places.size(); ++i) {
    const std::optional<findings::Excuse>& excuse = report.places[i].excuse;
    const bool suppressed = excuse && excuse->by != findings::Excuse::By::kBaseline;
    if (run.places[i].is_finding && !suppressed)
      baseline.findings.push_back(KnownOf(run.places[i]));
  }
  return baseline;
}

void ApplyBaseline(const Baseline& baseline, std::string file, double tolerance, Report& report) {
  report.baseline = Ratchet(baseline, std::move(file), tolerance, report).Run();
  report.baseline->is_predicted = baseline.is_predicted;
  findings::SettleExcuses(report);
}

Baseline Tightened(const Baseline& baseline, const findings::BaselineCheck& check) {
  std::map<Fingerprint, WasteRate> better;
  std::set<Fingerprint> gone;
  for (const findings::BaselineCheck::Improved& improved : check.improved) {
    const Fingerprint fingerprint = improved.known.fingerprint;
    if (improved.is_finding) {
      better[fingerprint] = improved.now;
    } else {
      gone.insert(fingerprint);
    }
  }
  for (const KnownFinding& known : check.vanished) gone.insert(known.fingerprint);
  Baseline tightened;
  tightened.is_predicted = baseline.is_predicted;
  for (KnownFinding known : baseline.findings) {
    if (gone.contains(known.fingerprint)) continue;
    const auto found = better.find(known.fingerprint);
    if (found != better.end()) known.waste = found->second;
    tightened.findings.push_back(std::move(known));
  }
  return tightened;
}

}  // namespace coalcheck::comparison
