// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck inspect` on the fuzzers' seeds, which are cubins and fat binaries of known sources.
#include "cli/commands/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands/commands.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct Answer {
  int exit_code = 0;
  std::string out;
  std::string err;
};

Answer Ask(const InspectOptions& options) {
  std::ostringstream out;
  std::ostringstream err;
  Answer answer;
  answer.exit_code = Inspect(options, out, err);
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

InspectOptions Seed(const std::string& name, const std::string& format = "text") {
  InspectOptions options;
  options.file = std::string(COALCHECK_SOURCE_DIR) + "/tests/fuzz/corpus/cubin/" + name;
  options.format = format;
  options.source_root = "/tmp/coalcheck-corpus";
  return options;
}

TEST(Inspect, ShowsPcKindWidthLineAndChain) {
  const Answer answer = Ask(Seed("inlined_90.cubin"));
  EXPECT_EQ(answer.exit_code, kClean);
  EXPECT_THAT(answer.out, HasSubstr("kernel TwoCallSites(float*, float const*) (sm_90)\n"));
  EXPECT_THAT(answer.out, HasSubstr("  0x0160  store       4 B  inlined.cu:13\n"));
  EXPECT_THAT(answer.out, HasSubstr("inlined.cuh:7  (inlined.cuh:7 <- inlined.cu:10)\n"));
  EXPECT_THAT(answer.out, Not(HasSubstr("-lineinfo")));
  EXPECT_EQ(answer.err, "");
}

TEST(Inspect, SaysWhatAddressesAreMadeOf) {
  const Answer answer = Ask(Seed("inlined_90.cubin"));
  EXPECT_THAT(answer.out, HasSubstr("          parameter 1 (float*)"));
  EXPECT_THAT(answer.out, HasSubstr("          consecutive threads are 4 bytes apart\n"));
  const json document = json::parse(Ask(Seed("inlined_90.cubin", "json")).out);
  bool steps = false;
  for (const json& access : document["images"][0]["accesses"]) {
    const json& address = access["address"];
    EXPECT_TRUE(address["lanes"].is_string());
    EXPECT_EQ(address["expression"].is_null(), address["lanes"] == "not known");
    steps = steps || address["step_bytes"] == 4;
  }
  EXPECT_TRUE(steps);
}

TEST(Inspect, NamesTheFlagForCodeWithoutLines) {
  const Answer answer = Ask(Seed("nolines_86.cubin"));
  EXPECT_EQ(answer.exit_code, kClean);
  EXPECT_THAT(answer.out, HasSubstr("no line information: compile with -lineinfo"));
  EXPECT_THAT(answer.out, HasSubstr("load        4 B\n"));
}

TEST(Inspect, NamesWhatTheTensorMemoryAcceleratorCopies) {
  const Answer answer = Ask(Seed("bulk_90.cubin"));
  EXPECT_EQ(answer.exit_code, kClean);
  const std::size_t kernel = answer.out.find("kernel bulk_store_alone (sm_90)\n");
  ASSERT_NE(kernel, std::string::npos);
  EXPECT_THAT(answer.out.substr(kernel),
              HasSubstr("store       ? B  bulk.cu:32  by the tensor memory accelerator: not "
                        "counted\n"));
  const json document = json::parse(Ask(Seed("bulk_90.cubin", "json")).out);
  std::vector<std::string> kinds;
  for (const json& copy : document["images"][0]["bulk_copies"]) {
    if (copy["kernel"] == "bulk_store_alone") kinds.push_back(copy["kind"]);
  }
  EXPECT_THAT(kinds, testing::ElementsAre("store", "reduction"));
}

InspectOptions WaitingSeed(const std::string& format) {
  InspectOptions options = Seed("", format);
  options.file =
      std::string(COALCHECK_SOURCE_DIR) + "/tests/fuzz/corpus/machine_code/linked_90.cubin";
  return options;
}

TEST(Inspect, SaysWhichKernelsMayWait) {
  const Answer answer = Ask(WaitingSeed("text"));
  const std::size_t waits = answer.out.find("kernel waits_elsewhere");
  const std::size_t sign = answer.out.find("  may wait for other work: strong load\n");
  ASSERT_NE(waits, std::string::npos);
  EXPECT_GT(sign, waits);
  EXPECT_EQ(answer.out.find("may wait", sign + 5), std::string::npos);
  const json document = json::parse(Ask(WaitingSeed("json")).out);
  const json& may_wait = document["images"][0]["may_wait"];
  ASSERT_EQ(may_wait.size(), 1U);
  EXPECT_EQ(may_wait[0]["kernel"], "waits_elsewhere");
  EXPECT_EQ(may_wait[0]["signs"], json::array({"strong load"}));
}

TEST(Inspect, GivesTheSameAsJson) {
  const Answer answer = Ask(Seed("inlined_90.cubin", "json"));
  const json document = json::parse(answer.out);
  EXPECT_EQ(document["coalcheck_inspect"], 1);
  ASSERT_EQ(document["images"].size(), 1U);
  EXPECT_EQ(document["images"][0]["sm"], 90);
  const json& accesses = document["images"][0]["accesses"];
  ASSERT_EQ(accesses.size(), 7U);
  bool inlined = false;
  for (const json& access : accesses) {
    EXPECT_EQ(access["width_bytes"], 4);
    EXPECT_THAT(access["ptx"].get<std::string>(), HasSubstr(".global.f32"));
    if (access["inline"].empty()) continue;
    inlined = true;
    EXPECT_EQ(access["kernel"], "TwoCallSites(float*, float const*)");
    EXPECT_EQ(access["kernel_mangled"], "_Z12TwoCallSitesPfPKf");
    EXPECT_EQ(access["file"], "/tmp/coalcheck-corpus/inlined.cuh");
    EXPECT_EQ(access["line"], 7);
    EXPECT_EQ(access["inline"][0]["function"], "LoadScaled(float const*, int)");
    EXPECT_EQ(access["inline"].back()["function"], "TwoCallSites(float*, float const*)");
    EXPECT_EQ(access["inline"].back()["file"], "/tmp/coalcheck-corpus/inlined.cu");
  }
  EXPECT_TRUE(inlined);
}

TEST(Inspect, GivesNoLineInJsonWithoutLineInformation) {
  const json document = json::parse(Ask(Seed("nolines_86.cubin", "json")).out);
  for (const json& access : document["images"][0]["accesses"]) {
    EXPECT_TRUE(access["file"].is_null());
    EXPECT_TRUE(access["line"].is_null());
    EXPECT_TRUE(access["inline"].empty());
    EXPECT_TRUE(access["ptx"].is_null());
  }
  EXPECT_EQ(document["images"][0]["without_line_information"].size(), 2U);
}

TEST(Inspect, UnpacksEveryImageAndSaysWhatItSkipped) {
  for (const char* name : {"zstd.fatbin", "lz4.fatbin"}) {
    const json document = json::parse(Ask(Seed(name, "json")).out);
    ASSERT_EQ(document["images"].size(), 2U) << name;
    EXPECT_EQ(document["images"][0]["sm"], 80);
    EXPECT_EQ(document["images"][1]["sm"], 90);
    ASSERT_EQ(document["skipped"].size(), 1U);
    EXPECT_THAT(document["skipped"][0]["reason"].get<std::string>(), HasSubstr("PTX only"));
  }
}

TEST(Inspect, ShowsOnlyTheKernelsAskedFor) {
  InspectOptions options = Seed("inlined_90.cubin");
  options.kernel = "NotInl";
  const Answer answer = Ask(options);
  EXPECT_THAT(answer.out, HasSubstr("NotInlined"));
  EXPECT_THAT(answer.out, Not(HasSubstr("TwoCallSites")));
  options.kernel = "nobody";
  const Answer nobody = Ask(options);
  EXPECT_EQ(nobody.exit_code, kNothingChecked);
  EXPECT_THAT(nobody.err, HasSubstr("no function matches nobody"));
}

TEST(Inspect, RefusesAFileThatItCannotRead) {
  InspectOptions options;
  options.file = "/nonexistent/a.cubin";
  const Answer answer = Ask(options);
  EXPECT_EQ(answer.exit_code, kUsage);
  EXPECT_EQ(answer.err, "coalcheck: /nonexistent/a.cubin does not exist\n");
  options.file = "/tmp";
  EXPECT_EQ(Ask(options).err, "coalcheck: /tmp is not a regular file but a folder\n");
  options.file = "/dev/null";
  EXPECT_EQ(Ask(options).err, "coalcheck: /dev/null is not a regular file\n");
}

TEST(Inspect, SaysWhatAFileIsThatIsNoCubin) {
  const support::ScratchFolder scratch;
  InspectOptions options;
  options.file = (scratch.path() / "a.cu").string();
  options.format = "json";
  std::ofstream(options.file) << "__global__ void k() {}\n";
  const Answer answer = Ask(options);
  EXPECT_EQ(answer.exit_code, kUsage);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, HasSubstr("neither a cubin nor a program, but text"));
}

TEST(Inspect, SaysThatAProgramHasNoDeviceCode) {
  InspectOptions options;
  options.file = "/proc/self/exe";
  const Answer answer = Ask(options);
  EXPECT_EQ(answer.exit_code, kUsage);
  EXPECT_THAT(answer.err, HasSubstr("without any device code"));
}

}  // namespace
}  // namespace coalcheck::cli
