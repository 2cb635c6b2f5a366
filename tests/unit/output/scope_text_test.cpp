// SPDX-License-Identifier: Apache-2.0
//
// What both reports say of library code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/json/json_writer.h"
#include "libcoalcheck/output/view/scope.h"
#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// The transpose, and two library kernels without line information that waste much.
struct WithLibraries : TransposeReport {
  explicit WithLibraries(std::vector<std::string> names = {"bare_a", "bare_b"}) {
    for (const std::string& name : names) {
      cubin::Function& bare = code.Add(findings::kCubin, name);
      bare.has_lines = false;
      bare.accesses = {findings::MakeAccess(16, cubin::AccessKind::kLoad, {}),
                       findings::MakeAccess(32, cubin::AccessKind::kStore, {})};
      run.windows.push_back(
          findings::MakeWindow(run.windows.size() + 1, name,
                               {findings::MakeRow(16, 1, 32, 4), findings::MakeRow(32, 1, 32, 4)}));
    }
  }
  void MakeTheUsersClean() { run.windows[0].functions[0].rows.pop_back(); }
  void ForgetTheUsers() { run.windows.erase(run.windows.begin()); }

  std::string Text() {
    const findings::Report report = Make();
    return Written(Format::kText, {report, verdict::Judge(report), sources, {}});
  }
  nlohmann::json Json() {
    const findings::Report report = Make();
    return nlohmann::json::parse(JsonReport(report, verdict::Judge(report)));
  }
};

TEST(ScopeText, LibraryCodeIsOneRowWithTheHintOnce) {
  WithLibraries sample;
  const std::string text = sample.Text();
  EXPECT_THAT(text, HasSubstr("coalcheck: library code, not judged: 4 accesses in 2 kernels, 128 "
                              "sectors, 87.5 % of them wasted; 2 kernels without line information "
                              "(--scope all shows them)\n"
                              "coalcheck: to see lines, compile with -lineinfo"));
  EXPECT_THAT(text, Not(HasSubstr("bare_")));
  EXPECT_THAT(text, HasSubstr("1 finding (1 store), 1 access clean, 14.7\u202FM sectors wasted"));
}

TEST(ScopeText, WhatToSwitchOnIsSaidForTheFrameworkThatHasNoLines) {
  const std::string numba = "_ZN8__main__5scaleB2v1B40c8tJTIeFIjxB2IKSgI4CrvQClQE5ArrayIfLi1E1CE";
  EXPECT_THAT(
      WithLibraries({numba}).Text(),
      AllOf(HasSubstr("Numba's kernels: @cuda.jit(lineinfo=True)"), Not(HasSubstr("nvcc"))));
  EXPECT_THAT(WithLibraries({"cupy_add__float32"}).Text(),
              AllOf(HasSubstr("CuPy's own kernels have no lines"), Not(HasSubstr("nvcc"))));
  EXPECT_THAT(WithLibraries({"kernel_cutlass_scale_tensorptrf32_0"}).Text(),
              AllOf(HasSubstr("CUTE_DSL_LINEINFO=1"), Not(HasSubstr("nvcc"))));
  EXPECT_THAT(WithLibraries({"bare", numba}).Text(),
              AllOf(HasSubstr("Numba's kernels"), HasSubstr("compile with -lineinfo (nvcc")));
}

TEST(ScopeText, CleanSaysWhatWasNotJudged) {
  WithLibraries sample;
  sample.MakeTheUsersClean();
  EXPECT_THAT(sample.Text(),
              EndsWith("coalcheck: every access is clean: 1 access, 2.10\u202FM sectors; counted 3 "
                       "of 202 launches (--sampling all for the rest); 4 accesses in library code "
                       "not judged (--scope all)\n"));
}

TEST(ScopeText, WhereNothingIsTheUsersEverythingIsPrintedAndWhyIsSaid) {
  WithLibraries sample;
  sample.ForgetTheUsers();
  const std::string text = sample.Text();
  EXPECT_THAT(text, HasSubstr("bare_a: pc 0x10: load wastes 87.5 %"));
  EXPECT_THAT(text, HasSubstr("coalcheck: no access lies under the source root /src/app, so all "
                              "are judged, as with --scope all;"));
  EXPECT_THAT(text, HasSubstr("no line information in bare_b\n"));
  EXPECT_THAT(text, HasSubstr("4 findings (2 loads, 2 stores)"));
}

TEST(ScopeText, InstantiationsWithoutLinesAreOneRow) {
  findings::Report report;
  report.scope = report.scope_asked = findings::Scope::kAll;
  for (const char* name : {"_Z4copyIfEvPT_", "_Z4copyIdEvPT_", "other"}) {
    findings::KernelCoverage& kernel = report.kernels.emplace_back();
    kernel.kernel = name;
    kernel.lacks_lines = true;
  }
  const std::vector<std::string> notes = ScopeNotes(report);
  ASSERT_EQ(notes.size(), 3U);  // the last says how to get lines
  EXPECT_EQ(notes[0], "no line information in 2 instantiations of copy");
  EXPECT_EQ(notes[1], "no line information in other");
}

TEST(ScopeText, JsonKeepsEveryAccessAndMarksThoseInScope) {
  WithLibraries sample;
  const nlohmann::json json = sample.Json();
  EXPECT_EQ(json["policy"]["scope"], "user");
  ASSERT_EQ(json["accesses"].size(), 6U);
  for (const nlohmann::json& access : json["accesses"]) {
    EXPECT_EQ(access["in_scope"], !access["file"].is_null());
    if (access["file"].is_null()) {
      EXPECT_EQ(access["finding"], false);
    }
  }
  EXPECT_EQ(json["summary"]["findings"], 1);
  EXPECT_EQ(json["summary"]["accesses_clean"], 1);
  EXPECT_EQ(json["summary"]["not_judged"]["accesses"], 4);
  EXPECT_EQ(json["summary"]["not_judged"]["sectors"], 128);
}

TEST(ScopeText, JsonSaysThatTheScopeFellBack) {
  WithLibraries sample;
  sample.ForgetTheUsers();
  const nlohmann::json json = sample.Json();
  EXPECT_EQ(json["policy"]["scope"], "all");
  EXPECT_EQ(json["policy"]["scope_asked"], "user");
  EXPECT_EQ(json["summary"]["findings"], 4);
  EXPECT_EQ(json["summary"]["not_judged"]["accesses"], 0);
}

}  // namespace
}  // namespace coalcheck::output
