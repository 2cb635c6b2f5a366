// SPDX-License-Identifier: Apache-2.0
//
// Holds each of several recordings, judged as if it were the only one, against the sum of all.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::comparison {

// The sum hides what one recording shows: clean requests of another take a line below a threshold,
// another's line table puts the rest out of scope, another's text makes it a known finding.
class EachAlone {
 public:
  // `sum`: with its baseline applied, if it has one.
  explicit EachAlone(findings::Report& sum);

  // `alone`: of one recording, by the same rules and baseline.
  void Add(const findings::Report& alone, const std::string& recording);
  // Notes one that is not judged: what it would show is not known.
  void LeaveOut();
  // Gives the sum its `alone`, and takes out of its baseline check what is not better in each.
  void Finish();

 private:
  // A line, its kind and its kernel, as both reports call them.
  struct Line {
    std::string where;
    cubin::AccessKind kind;
    std::string kernel;
    friend auto operator<=>(const Line&, const Line&) = default;
  };
  static Line LineOf(const findings::Report& report, const findings::Place& place);
  // The same place of the sum, else one of the same line; null: it has none.
  const findings::Place* InSum(const findings::Place& place, const Line& line) const;
  std::string WhatSumSays(const findings::Place* place) const;
  void KeepInBaseline(const findings::Place& place);
  void NoteRate(const findings::Report& alone, const findings::Place& place,
                const std::string& recording);

  findings::Report& sum_;
  std::map<Fingerprint, std::size_t> by_fingerprint_;  // in Report::places
  std::map<Line, std::size_t> by_line_;
  std::map<Line, findings::FindingAlone> found_;  // of each line, where it wastes most
  std::set<Fingerprint> findings_, worse_;        // in any of them
};

}  // namespace coalcheck::comparison
