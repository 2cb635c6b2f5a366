// SPDX-License-Identifier: Apache-2.0
//
// What is read of a kernel in its source.
#include "libcoalcheck/prediction/kernel_source.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace coalcheck::prediction {
namespace {

class Lines : public cubin::SourceText {
 public:
  explicit Lines(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  std::optional<std::uint32_t> LineCount(std::string_view) override {
    return static_cast<std::uint32_t>(lines_.size());
  }
  std::optional<std::string> Line(std::string_view, std::uint32_t line) override {
    return line == 0 || line > lines_.size() ? std::nullopt : std::optional(lines_[line - 1]);
  }

 private:
  std::vector<std::string> lines_;
};

// Of copy(float*, int), an access of which stands in the last but one of the lines.
KernelSource Read(const std::vector<std::string>& lines,
                  std::optional<cubin::FileStamp> now = std::nullopt,
                  const cubin::SourceStamps& compiled = {}) {
  Lines text(lines);
  findings::PathMap map;
  findings::SourceView source{{"/src", {}}, std::move(map), text};
  if (now) source.stamp_of = [now](const std::string&) { return now; };
  cubin::Function kernel;
  kernel.name = "_Z4copyPfi";
  kernel.is_kernel = true;
  cubin::GlobalAccess access;
  access.frames = {{kernel.name, "/src/k.cu", static_cast<std::uint32_t>(lines.size() - 1)}};
  kernel.accesses.push_back(access);
  const std::vector<ptx::Parameter> parameters{{"a", {}, 0, 8}, {"b", {}, 8, 4}};
  return SourceOf(kernel, parameters, source, compiled);
}

TEST(KernelSourceTest, HasNoNamesFromAFileThatIsNotTheOneThatWasCompiled) {
  const std::vector<std::string> lines = {"__global__ void copy(float* out, int n) {",
                                          "  out[n] = 1;", "}"};
  const cubin::SourceStamps compiled = {{"/src/k.cu", {1000, 60}}};
  const auto names = [&](const cubin::FileStamp& now, const cubin::SourceStamps& stamps) {
    return Read(lines, now, stamps).parameter_names;
  };
  EXPECT_EQ(names({1000, 60}, compiled), (std::vector<std::string>{"out", "n"}));
  EXPECT_TRUE(names({1001, 60}, compiled).empty());  // edited, as long as before
  EXPECT_TRUE(names({999, 60}, compiled).empty());   // another checkout
  EXPECT_TRUE(names({1000, 61}, compiled).empty());
  EXPECT_TRUE(names({1000, 60}, {}).empty());
  EXPECT_TRUE(names({1000, 60}, {{"/src/other.cu", {1000, 60}}}).empty());
}

TEST(KernelSourceTest, HasTheNamesOfParameters) {
  EXPECT_EQ(
      Read({"__global__ void copy(float* out, int n) {", "  out[n] = 1;", "}"}).parameter_names,
      (std::vector<std::string>{"out", "n"}));
  EXPECT_TRUE(
      Read({"__global__ void copy(float* out) {", "  out[0] = 1;", "}"}).parameter_names.empty());
}

TEST(KernelSourceTest, TakesTheLaunchOfACommentAboveTheKernel) {
  const KernelSource source =
      Read({"int before;", "/* two", "lines */", "// coalcheck: block=32x8 n=7",
            "template <int N>  // of any size", "__global__ void", "copy(float* out, int n) {",
            "  out[n] = 1;", "}"});
  ASSERT_EQ(source.launches.launches.size(), 1U);
  const KnownLaunch& launch = source.launches.launches[0];
  EXPECT_EQ(launch.block, (address::Extent{32, 8, 1}));
  EXPECT_EQ(launch.by_name.at("n"), ArgumentValue(7));
  EXPECT_EQ(launch.origin, "k.cu:4");
}

TEST(KernelSourceTest, TakesTheLaunchOfACommentOnTheLineOfTheKernel) {
  const KernelSource source = Read(
      {"__global__ void copy(float* out, int n) {  // coalcheck: block=64", "  out[n] = 1;", "}"});
  ASSERT_EQ(source.launches.launches.size(), 1U);
  EXPECT_EQ(source.launches.launches[0].block, (address::Extent{64, 1, 1}));
}

TEST(KernelSourceTest, TakesNoCommentOfSomethingElse) {
  for (const char* between : {"", "int other;", "}", "#endif"}) {
    const KernelSource source =
        Read({"// coalcheck: block=64", between, "__global__ void copy(float* out, int n) {",
              "  out[n] = 1;", "}"});
    EXPECT_TRUE(source.launches.launches.empty()) << between;
  }
  const KernelSource suppressed =
      Read({"// coalcheck: ignore[known]", "__global__ void copy(float* out, int n) {",
            "  out[n] = 1;", "}"});
  EXPECT_TRUE(suppressed.launches.launches.empty());
  EXPECT_TRUE(suppressed.problems.empty());
}

TEST(KernelSourceTest, ReadsCommentsAsSuppressionsAreRead) {
  const KernelSource source =
      Read({"/* coalcheck: block=64 */",
            "__global__ void copy(float* out, int n) {  // a // coalcheck: block=96",
            "  out[n] = 1;", "}"});
  ASSERT_EQ(source.launches.launches.size(), 2U);
  EXPECT_EQ(source.launches.launches[0].block, (address::Extent{96, 1, 1}));
  EXPECT_EQ(source.launches.launches[1].block, (address::Extent{64, 1, 1}));
  const KernelSource wrong = Read(
      {"// coalcheck: ignore", "__global__ void copy(float* out, int n) {", "  out[n] = 1;", "}"});
  ASSERT_EQ(wrong.problems.size(), 1U);
  EXPECT_EQ(wrong.problems[0], "k.cu:1: a suppression needs a reason in brackets: ignore[why]");
}

TEST(KernelSourceTest, NamesACommentThatIsWrong) {
  const KernelSource source = Read(
      {"// coalcheck: block=0", "__global__ void copy(float* out, int n) {", "  out[n] = 1;", "}"});
  ASSERT_EQ(source.problems.size(), 1U);
  EXPECT_EQ(source.problems[0],
            "k.cu:1: block: takes up to three sizes from 1 on, as 32x8, not '0'");
}

TEST(KernelSourceTest, TakesTheLaunchesOfTheNearestCommentsOnly) {
  std::vector<std::string> lines(15, "// coalcheck: block=32x8");
  lines.insert(lines.end(), {"__global__ void copy(float* out, int n) {", "  out[n] = 1;", "}"});
  EXPECT_EQ(Read(lines).launches.launches.size(), kMostKnownLaunches);
}

}  // namespace
}  // namespace coalcheck::prediction
