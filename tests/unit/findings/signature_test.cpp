// SPDX-License-Identifier: Apache-2.0
//
// Names of parameters, and where none is better than a wrong one.
#include "libcoalcheck/findings/sources/signature.h"

#include <gtest/gtest.h>

#include "libcoalcheck/findings/sources/source_lines.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using Names = std::vector<std::string>;

Names NamesIn(std::vector<std::string> lines, std::uint32_t line,
              const CompiledParameters& compiled = {{"float const*", "float*", "int", "int"},
                                                    {8, 8, 4, 4}}) {
  FakeSources sources;
  sources.files["a.cu"] = std::move(lines);
  return ParameterNames(sources, {"a.cu", line}, "transpose", compiled);
}

TEST(Signature, ItsNamesAreThoseAroundTheLine) {
  EXPECT_EQ(
      NamesIn({"__global__ void transpose(const float* __restrict__ in, float *out, // to",
               "                          int width, int height = 0) {", "  out[1] = in[0];", "}"},
              3),
      (Names{"in", "out", "width", "height"}));
}

TEST(Signature, IsThatOfAKernelThatEndsInTheLine) {
  const std::vector<std::string> lines = {
      "void transpose(const float* in, float* out, int w, int h) {", "  out[w] = in[h]; }", "x"};
  EXPECT_EQ(NamesIn(lines, 2), (Names{"in", "out", "w", "h"}));
  EXPECT_EQ(NamesIn(lines, 3), Names());
}

TEST(Signature, OfTwoOverloadsTheOneAroundTheLineCounts) {
  const std::vector<std::string> both = {
      "void transpose(const float* a, float* b, int c, int d) {",   "  x();", "}",
      "void transpose(const double* e, double* f, int g, int h) {", "  y();", "}"};
  EXPECT_EQ(NamesIn(both, 2), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(NamesIn(both, 5), Names());  // it is not what was compiled
}

TEST(Signature, WhatHasOtherTypesOrAnotherNumberOfThemIsNotUsed) {
  EXPECT_EQ(NamesIn({"void transpose(const float* in, float* out, int n) {", "x"}, 2), Names());
  EXPECT_EQ(NamesIn({"void transpose(const float* in, float* out, long w, int h) {", "x"}, 2),
            Names());
  EXPECT_EQ(NamesIn({"void transpose(const float* in, int out, int w, int h) {", "x"}, 2), Names());
}

TEST(Signature, ACallAndADeclarationAreNoDefinition) {
  EXPECT_EQ(NamesIn({"void transpose(const float* i, float* o, int w, int h);", "void f() {",
                     "  transpose(a, b, c, d);"},
                    3),
            Names());
}

TEST(Signature, ATypeThatOnlyTheSourceKnowsFitsByItsSize) {
  EXPECT_EQ(
      NamesIn({"template <class T>", "void transpose(const T* in, T* out, Size w, Size h) {"}, 2),
      (Names{"in", "out", "w", "h"}));
  EXPECT_EQ(NamesIn({"void transpose(const T* in, T* out, int w, int h) {"}, 1, {{}, {8, 8, 4, 4}}),
            (Names{"in", "out", "w", "h"}));
}

// Of a kernel whose file is not on this machine.
Names NamesOfAbsentFile(std::set<std::string, std::less<>> recorded) {
  FakeSources sources;
  sources.files["k.py"] = {"void transpose(const float* in, float* out) {", "  out[1] = in[0];"};
  cubin::Function kernel;
  kernel.name = "_Z9transposePKfPf";
  kernel.accesses = {MakeAccess(16, cubin::AccessKind::kLoad, {{kernel.name, "k.py", 2}})};
  ptx::Parameter pointer;
  pointer.bytes = 8;
  const PathMap map;
  SourceView view{{"/src/app"}, map, sources};
  view.scope.files = std::move(recorded);
  view.stamp_of = [](const std::string&) { return std::optional<cubin::FileStamp>(); };
  return ParameterNamesOf(kernel, {pointer, pointer}, view, {});
}

TEST(Signature, OfAFileThatIsNotHereIsThatOfTheTextThatWasRecorded) {
  EXPECT_EQ(NamesOfAbsentFile({"k.py"}), (Names{"in", "out"}));
  EXPECT_EQ(NamesOfAbsentFile({}), Names());
}

}  // namespace
}  // namespace coalcheck::findings
