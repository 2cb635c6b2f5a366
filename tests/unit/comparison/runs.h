// SPDX-License-Identifier: Apache-2.0
//
// Runs of a program of two kernels, for tests of what is compared.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/comparison/measured.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::comparison {

// "copy" stores on lines 2 and 3, "scale" on line 6; a line that touches no sector was not run.
struct Program {
  std::vector<std::string> lines = {"void copy(float* p) {",
                                    "  p[4 * i] = 1;",
                                    "  p[8 * i] = 2;",
                                    "}",
                                    "void scale(float* p) {",
                                    "  p[2 * i] *= k;",
                                    "}"};
  std::vector<std::uint32_t> at = {2, 3, 6};
  std::vector<std::uint64_t> sectors = {32, 8, 4};  // of each request; 4 are needed
  std::uint64_t requests = 10;
  bool has_sources = true;
  recording::RecordedRun run = findings::MakeRun();

  findings::Report Make() const {
    findings::FakeCode code;
    findings::FakeSources sources;
    if (has_sources) sources.files[findings::kSource] = lines;
    recording::RecordedRun recorded = run;
    const std::vector<std::string> names = {"_Z4copyPf", "_Z5scalePf"};
    std::vector<std::vector<recording::CountRow>> rows(names.size());
    for (const std::string& name : names) code.Add(findings::kCubin, name);
    for (std::uint32_t i = 0; i < at.size(); ++i) {
      const std::size_t kernel = i < 2 ? 0 : 1;
      code.Add(findings::kCubin, names[kernel])
          .accesses.push_back(findings::MakeAccess(16 * i, cubin::AccessKind::kStore,
                                                   {{names[kernel], findings::kSource, at[i]}}));
      if (sectors[i] == 0) continue;
      rows[kernel].push_back(findings::MakeRow(16 * i, requests, sectors[i], 4));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (rows[i].empty()) continue;
      recorded.windows.push_back(findings::MakeWindow(i + 1, names[i], rows[i]));
    }
    return findings::ReportOn({recorded}, code, sources);
  }
  MeasuredRun Measured(const std::string& name = "a.rec") const { return Measure(Make(), name); }
};

}  // namespace coalcheck::comparison
