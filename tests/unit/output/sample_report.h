// SPDX-License-Identifier: Apache-2.0
//
// Reports with a bit of everything, for tests of what is printed.
#pragma once

#include "tests/unit/findings/fakes.h"

namespace coalcheck::output {

inline constexpr const char* kTranspose = "_Z9transposePKfPfii";

// The naive transpose: a clean load and a wasteful store on line 2, counted in 1 of 200 launches.
struct TransposeReport {
  TransposeReport();

  findings::Report Make() { return findings::ReportOn({run}, code, sources); }

  findings::FakeCode code;
  findings::FakeSources sources;
  recording::RecordedRun run = findings::MakeRun();
};

// Two of four ranks, of which one was on two hosts, and differ in the first access.
findings::Job MakeSampleJob();

// Every kind of row that a report can have.
findings::Report MakeFullReport(bool grouped = false);

}  // namespace coalcheck::output
