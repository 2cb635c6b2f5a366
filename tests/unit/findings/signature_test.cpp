// SPDX-License-Identifier: Apache-2.0
//
// Names of parameters, and where none is better than a wrong one.
#include "libcoalcheck/findings/signature.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace coalcheck::findings
