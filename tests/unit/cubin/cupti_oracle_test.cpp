// SPDX-License-Identifier: Apache-2.0
//
// Every instruction of the compiled fixtures gets the line that CUPTI gives it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/unit/cubin/fixtures.h"

namespace coalcheck::cubin {
namespace {

#ifdef COALCHECK_CUPTI_LINES

std::string FindCupti() {
  const char* chosen = std::getenv("COALCHECK_CUPTI_PATH");
  const std::string near = std::string(COALCHECK_CUPTI_INCLUDE) + "/..";
  const std::vector<std::string> places = {
      chosen == nullptr ? "" : chosen, near + "/lib/libcupti.so",
      near + "/lib64/libcupti.so",     near + "/targets/x86_64-linux/lib/libcupti.so",
      near + "/lib64/libcupti.so.13",  "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
  for (const std::string& place : places) {
    std::error_code ignored;
    if (!place.empty() && std::filesystem::is_regular_file(place, ignored)) return place;
  }
  return "";
}

// The answers for all instructions of `cubin`, in order, from a process of its own.
std::vector<std::string> AskCupti(const std::string& cupti, const std::string& name,
                                  const AllInstructions& cubin) {
  const std::string questions = FixturePath(name) + ".questions";
  const std::string answers = FixturePath(name) + ".answers";
  std::ofstream out(questions);
  for (const Function& function : cubin.functions) {
    for (const GlobalAccess& at : function.accesses) {
      out << function.name << ' ' << at.pc.value() << '\n';
    }
  }
  out.close();
  const std::string command = std::string(COALCHECK_CUPTI_LINES) + " '" + cupti + "' '" +
                              FixturePath(name) + "' <'" + questions + "' >'" + answers + "'";
  if (std::system(command.c_str()) != 0) return {};
  std::ifstream in(answers);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string OursAsAnswer(const GlobalAccess& at) {
  if (at.frames.empty()) return "none";
  const SourceFrame& frame = at.frames.front();
  // CUPTI takes `..` out of paths.
  return std::to_string(frame.line) + "\t" +
         std::filesystem::path(frame.file).lexically_normal().string();
}

// "12\t/dir\tfile" as "12\t/dir/file".
std::string Joined(const std::string& answer) {
  const std::size_t tab = answer.rfind('\t');
  if (tab == std::string::npos) return answer;
  const bool absolute = answer.compare(tab + 1, 1, "/") == 0;
  const std::size_t first = answer.find('\t');
  if (absolute || first + 1 == tab) return answer.substr(0, first + 1) + answer.substr(tab + 1);
  return answer.substr(0, tab) + "/" + answer.substr(tab + 1);
}

// The one thing CUPTI gets wrong here: the rows of NeverCalled, which the linker dropped and which
// therefore have no relocation, it takes for the rows of a function that is still there.
bool IsLineOfDroppedFunction(const std::string& answer) {
  return answer == "12\t" + FixtureSource("linked_b.cu");
}

void Compare(const std::string& cupti, const std::string& name, bool linked) {
  const AllInstructions cubin(ReadFixture(name));
  const std::vector<std::string> answers = AskCupti(cupti, name, cubin);
  std::size_t at = 0;
  std::size_t same = 0;
  for (const Function& function : cubin.functions) {
    for (const GlobalAccess& access : function.accesses) {
      ASSERT_LT(at, answers.size()) << "cupti_lines gave up on " << name;
      const std::string theirs = Joined(answers[at++]);
      if (theirs == OursAsAnswer(access)) ++same;
      if (linked && IsLineOfDroppedFunction(theirs)) continue;
      EXPECT_EQ(theirs, OursAsAnswer(access))
          << name << " " << function.name << " pc " << access.pc.value();
    }
  }
  std::printf("%s: %zu of %zu instructions as CUPTI says\n", name.c_str(), same, at);
  EXPECT_GT(same * 2, at);
}

class CuptiOracle : public testing::TestWithParam<const char*> {};

TEST_P(CuptiOracle, GivesEveryInstructionTheSameLine) {
  if (!WhyNoFixtures().empty()) GTEST_SKIP() << WhyNoFixtures();
  const std::string cupti = FindCupti();
  if (cupti.empty()) GTEST_SKIP() << "no libcupti.so; COALCHECK_CUPTI_PATH names one";
  const std::string kind = GetParam();
  for (const std::string& sm : FixtureArchitectures()) {
    Compare(cupti, kind + "_" + sm + ".cubin", kind == "linked");
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, CuptiOracle,
                         testing::Values("inlined", "widths", "templates", "linked"),
                         [](const auto& fixture) { return std::string(fixture.param); });

#else

TEST(CuptiOracle, GivesEveryInstructionTheSameLine) {
  GTEST_SKIP() << "the CUPTI headers were not found when this was configured";
}

#endif

}  // namespace
}  // namespace coalcheck::cubin
