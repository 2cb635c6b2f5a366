// SPDX-License-Identifier: Apache-2.0
//
// What a place's fingerprint survives, and what it tells apart.
#include "libcoalcheck/findings/places/fingerprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;

// A program of one kernel, as one build of it is seen.
struct Build {
  std::string file = kSource;
  std::string kernel = "_Z4copyPf";
  std::vector<std::string> lines = {"void copy(float* p) {", "  p[4 * i] = 1;", "  p[8 * i] = 2;",
                                    "}"};
  std::vector<std::uint32_t> stores = {2, 3};
  std::vector<cubin::SourceFrame> more_frames;

  std::vector<PlaceIdentity> Identities() const {
    FakeCode code;
    FakeSources sources;
    sources.files[file] = lines;
    recording::RecordedRun run = MakeRun();
    std::vector<recording::CountRow> rows;
    cubin::Function& function = code.Add(kCubin, kernel);
    for (std::uint32_t i = 0; i < stores.size(); ++i) {
      std::vector<cubin::SourceFrame> frames = {{kernel, file, stores[i]}};
      frames.insert(frames.begin(), more_frames.begin(), more_frames.end());
      function.accesses.push_back(MakeAccess(16 * i, AccessKind::kStore, frames));
      rows.push_back(MakeRow(16 * i, 10, 32 - i, 4));  // in this order in the report
    }
    run.windows = {MakeWindow(1, kernel, rows)};
    std::vector<PlaceIdentity> identities;
    for (const Place& place : ReportOn({run}, code, sources).places) {
      identities.push_back(place.identity);
    }
    return identities;
  }
  std::vector<Fingerprint> Fingerprints() const {
    std::vector<Fingerprint> all;
    for (const PlaceIdentity& one : Identities()) all.push_back(one.fingerprint);
    return all;
  }
};

TEST(Fingerprint, IsTheSameForTheSameBuild) {
  EXPECT_EQ(Build().Fingerprints(), Build().Fingerprints());
  EXPECT_EQ(Build().Fingerprints().size(), 2U);
}

TEST(Fingerprint, SurvivesLinesAbove) {
  Build moved;
  moved.lines.insert(moved.lines.begin(), {"// a comment", ""});
  moved.stores = {4, 5};
  EXPECT_EQ(moved.Fingerprints(), Build().Fingerprints());
}

TEST(Fingerprint, SurvivesAnotherFolder) {
  Build elsewhere;
  elsewhere.file = "/somewhere/else/a.cu";
  EXPECT_EQ(elsewhere.Fingerprints(), Build().Fingerprints());
}

TEST(Fingerprint, SurvivesFormattingAndRemarks) {
  Build formatted;
  formatted.lines[1] = "\tp[4*i]=1;  // in rows";
  EXPECT_EQ(formatted.Fingerprints(), Build().Fingerprints());
}

TEST(Fingerprint, SurvivesTemplateArgumentsAndTheNamesOfInternalKernels) {
  Build as_template;
  as_template.kernel = "_Z4copyIfEvPT_";
  EXPECT_EQ(as_template.Fingerprints(), Build().Fingerprints());
  Build is_static;
  is_static.kernel = "__nv_static_24__be88ed2f_4_a_cu__Z2goPf__Z4copyPf";
  EXPECT_EQ(is_static.Fingerprints(), Build().Fingerprints());
}

TEST(Fingerprint, TellsAnotherKernelLineKindOrCallApart) {
  std::set<Fingerprint> all;
  std::size_t expected = 0;
  const auto add = [&](const Build& build) {
    for (const Fingerprint one : build.Fingerprints()) all.insert(one);
    expected += build.stores.size();
    EXPECT_EQ(all.size(), expected);
  };
  add({});
  Build kernel;
  kernel.kernel = "_Z5otherPf";
  add(kernel);
  Build text;
  text.lines[1] = "  p[5 * i] = 1;";
  text.stores = {2};
  add(text);
  Build called;
  called.more_frames = {{"_Z3putPf", "/src/app/put.h", 7}};
  called.stores = {2};
  add(called);
}

TEST(Fingerprint, TellsEqualLinesApartByTheirOrder) {
  Build twice;
  twice.lines[2] = twice.lines[1];
  const std::vector<Fingerprint> before = twice.Fingerprints();
  EXPECT_NE(before[0], before[1]);
  twice.lines.insert(twice.lines.begin(), "");
  twice.stores = {3, 4};
  EXPECT_EQ(twice.Fingerprints(), before);
}

TEST(Fingerprint, DoesNotLookAtLinesOfInstalledHeaders) {
  Build old;
  old.more_frames = {{"_ZN3cub4LoadEPf", "/usr/local/cuda-13.0/include/cub/load.cuh", 7}};
  Build updated;
  updated.more_frames = {{"_ZN3cub4ReadEPf", "/usr/local/cuda-13.1/include/cub/read.cuh", 90}};
  EXPECT_EQ(updated.Fingerprints(), old.Fingerprints());
}

TEST(Fingerprint, AnAnchorIsLeftWhenTheLineWasChanged) {
  Build changed;
  changed.lines[1] = "  tile[i] = 1;";
  EXPECT_NE(changed.Identities()[0].fingerprint, Build().Identities()[0].fingerprint);
  EXPECT_EQ(changed.Identities()[0].anchor, Build().Identities()[0].anchor);
}

TEST(NormalizedLine, KeepsWordsApartAndQuotesWhole) {
  EXPECT_EQ(NormalizedLine("  const float  x = in[ i ] ;\r"), "const float x=in[i];");
  EXPECT_EQ(NormalizedLine("Put(\"http://a\", '\"', 1'000); // put"),
            "Put(\"http://a\",'\"',1'000);");
  EXPECT_EQ(NormalizedLine("// only a remark"), "");
}

TEST(StableKernelName, IsWithoutWhatTheBuildPutThere) {
  EXPECT_EQ(StableKernelName("_ZN22_INTERNAL_91b5_4_a_cu_4copyEPf"), "copy");
  EXPECT_EQ(StableKernelName("_ZN35_GLOBAL__N__be88ed2f_4_a_cu__Z2goPf2anEPf"),
            "(anonymous namespace)::an");
  EXPECT_EQ(StableKernelName("__nv_static_24__be88ed2f_4_a_cu__Z2goPf__Z2stPf"), "st");
  for (const char* odd : {"__nv_static_", "__nv_static_9", "__nv_static_99999999999999999999_a",
                          "__nv_static_3_abc"}) {
    EXPECT_EQ(StableKernelName(odd), odd);
  }
}

}  // namespace
}  // namespace coalcheck::findings
