// SPDX-License-Identifier: Apache-2.0
//
// Runs coalcheck report on recordings of tests/recordings.
#include "tests/golden/replay.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/run_program.h"

namespace coalcheck::support {
namespace {

// Where scripts/record compiles the samples, so that recordings hold no path of anybody's machine.
constexpr const char* kCompiledIn = "/tmp/coalcheck";

}  // namespace

bool IsRecorded(const Sample& sample) {
  return std::filesystem::exists(kRecordings / sample.name / "records.jsonl");
}

std::vector<ObservedAccess> ReportOn(const std::string& sample) {
  const ProgramResult run = RunProgram(
      {COALCHECK_COMMAND, "report", "--format", "json", "--exit-zero", "--source-root", kSource,
       "--path-map", std::string(kCompiledIn) + "=" + kSource.string(), kRecordings / sample});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  auto accesses = AccessesOfReport(run.out);
  EXPECT_TRUE(accesses.ok()) << accesses.status();
  return accesses.ok() ? *std::move(accesses) : std::vector<ObservedAccess>();
}

}  // namespace coalcheck::support
