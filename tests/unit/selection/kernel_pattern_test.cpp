// SPDX-License-Identifier: Apache-2.0
//
// A kernel is found by the names a user would write for it.
#include "libcoalcheck/selection/kernel_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libcoalcheck/selection/regular_expression.h"

namespace coalcheck::selection {
namespace {

using ::testing::HasSubstr;

bool NameMatches(std::string_view pattern, std::string_view name) {
  return KernelPattern::Parse(pattern).value().Matches(name);
}

TEST(KernelPattern, APlainNameMatchesAKernelWithItsParametersAndTemplateArguments) {
  EXPECT_TRUE(NameMatches("transpose", "transpose(float const*, float*, int)"));
  EXPECT_TRUE(NameMatches("transpose", "void transpose<float, 32>(float*)"));
  EXPECT_TRUE(NameMatches("transpose", "void app::gpu::transpose<(Kind)2>(float*)"));
  EXPECT_TRUE(NameMatches("app::gpu::transpose", "void app::gpu::transpose<float>(float*)"));
  EXPECT_TRUE(NameMatches("triton_kernel_0d1d", "triton_kernel_0d1d"));
  EXPECT_TRUE(NameMatches("work", "(anonymous namespace)::work(int)"));
}

TEST(KernelPattern, APlainNameDoesNotMatchAPartOfAnotherOne) {
  EXPECT_FALSE(NameMatches("transpose", "transpose_tiled(float*)"));
  EXPECT_FALSE(NameMatches("transpose", "void apply<transpose>(float*)"));
  EXPECT_FALSE(NameMatches("gpu", "app::gpu::transpose(int)"));
}

TEST(KernelPattern, ANameWithoutWildcardsMayBeANamespace) {
  const char* copy = "void at::native::vectorized_copy<4, float>(int, float*)";
  EXPECT_TRUE(NameMatches("at::native", copy));
  EXPECT_TRUE(NameMatches("at::native::", copy));
  EXPECT_TRUE(NameMatches("at::", copy));
  EXPECT_TRUE(NameMatches("at", copy));
  EXPECT_TRUE(NameMatches("thrust::", "void thrust::cuda_cub::core::_kernel_agent<int>(int)"));
  EXPECT_TRUE(NameMatches("at::native", "void at::native::(anonymous namespace)::fill(int*)"));
  EXPECT_TRUE(NameMatches("a::b", "a<int>::b::c(int)"));
}

TEST(KernelPattern, ANamespaceMatchesFromItsBeginningAndNoPartOfAName) {
  EXPECT_FALSE(NameMatches("at::native", "void at::native_mha::copy(int)"));
  EXPECT_FALSE(NameMatches("at::native", "void torch::at::native::copy(int)"));
  EXPECT_FALSE(NameMatches("native::", "void at::native::copy(int)"));
  EXPECT_FALSE(NameMatches("native", "void at::native::copy(int)"));
  EXPECT_FALSE(NameMatches("a", "void at::native::copy(int)"));
  EXPECT_FALSE(NameMatches("at::native", "void run<at::native::copy>(int)"));
  EXPECT_FALSE(NameMatches("at::nat?ve", "void at::native::copy(int)"));
}

TEST(KernelPattern, ColonsAtTheEndMakeANamespaceOfAGlob) {
  EXPECT_TRUE(NameMatches("cub::CUB_*::", "void cub::CUB_300::DeviceScanKernel<int>(int*)"));
  EXPECT_FALSE(NameMatches("cub::CUB_*::", "void cub::DeviceScanKernel<int>(int*)"));
}

TEST(KernelPattern, GlobsStandForWhatTheyDoInFileNames) {
  EXPECT_TRUE(NameMatches("transpose*", "transpose_tiled(float*)"));
  EXPECT_TRUE(NameMatches("cub::*::Device*", "void cub::CUB_300::DeviceScanKernel<int>(int*)"));
  EXPECT_TRUE(NameMatches("*<float>*", "void apply<float>(float*)"));
  EXPECT_TRUE(NameMatches("k?", "k1(int)"));
  EXPECT_FALSE(NameMatches("k?", "k10(int)"));
}

TEST(KernelPattern, AnExpressionIsSearchedForInTheWholeName) {
  EXPECT_TRUE(NameMatches("regex:at::native", "void at::native::copy<float>(float*)"));
  EXPECT_TRUE(NameMatches("regex:^k[0-9]+", "k10(int)"));
  EXPECT_TRUE(NameMatches("regex:x|\\)$", "k10(int)"));
  EXPECT_FALSE(NameMatches("regex:t$", "k10(int)"));
  EXPECT_FALSE(NameMatches("regex:^native", "void at::native::copy<float>(float*)"));
}

TEST(KernelPattern, WhatCannotBeReadIsRefused) {
  EXPECT_THAT(KernelPattern::Parse("regex:(").error(), HasSubstr("not a regular expression"));
  EXPECT_THAT(KernelPattern::Parse("regex:*foo").error(), HasSubstr("nothing before it to repeat"));
  EXPECT_THAT(KernelPattern::Parse("regex:a|*").error(), HasSubstr("nothing before it to repeat"));
  EXPECT_TRUE(KernelPattern::Parse("regex:(?:a)\\(*").ok());
  EXPECT_THAT(KernelPattern::Parse("regex:[a").error(), HasSubstr("a [ has no ]"));
  EXPECT_THAT(KernelPattern::Parse("regex:a)(?:b").error(), HasSubstr("not a regular expression"));
  EXPECT_THAT(KernelPattern::Parse("").error(), HasSubstr("missing"));
  EXPECT_THAT(KernelPattern::Parse("regex:" + std::string(2000, 'a')).error(),
              HasSubstr("too long"));
  EXPECT_THAT(KernelPattern::Parse("regex:").error(), HasSubstr("missing"));
  EXPECT_THAT(KernelPattern::Parse("regex:(a)\\1").error(), HasSubstr("back-references"));
  EXPECT_THAT(KernelPattern::Parse("regex:(?=a(?!b))").error(), HasSubstr("in one another"));
  EXPECT_TRUE(KernelPattern::Parse("regex:(?=a)(?!b)[(?=]").ok());
  EXPECT_THAT(KernelPattern::Parse("a\\").error(), HasSubstr("backslash"));
}

TEST(KernelPattern, AHostileExpressionEnds) {
  EXPECT_FALSE(NameMatches("regex:^(a*)*(a|a)*$", std::string(200, 'a') + "b"));
  std::string hostile = "regex:";
  for (int i = 0; i < 60; ++i) hostile += "(a*)*b?";
  EXPECT_FALSE(NameMatches(hostile + "c", std::string(kLongestName, 'a')));
}

// Each hides most of its states from a reader of POSIX's sets, or repeats a repetition.
TEST(KernelPattern, AnExpressionIsWeighedAsItIsCompiled) {
  for (const char* heavy :
       {"[]|((a?){125}){125}]", "[^]|((a?){125}){125}]", "[\\]]((a?){125}){125}",
        "[[:alpha:]((a?){125})]((a?){125}){125}", "a{125}{125}", "(a{125})*{125}", "a{125}?{125}",
        "((a?){125}\\c(){125}"}) {
    EXPECT_GT(WeightOf(heavy), kHeaviest) << heavy;
    EXPECT_FALSE(KernelPattern::Parse(std::string("regex:") + heavy).ok()) << heavy;
  }
  for (const char* light :
       {"[(]{9}", "[\\]({9]", "[[:alpha:](]", "[^)]*\\[{2}", "[({99}){99}]", "[\\c]({99}){99}]"}) {
    EXPECT_LT(WeightOf(light), 30) << light;
  }
}

TEST(KernelPattern, ASetIsReadAsEcmaScriptReadsIt) {
  EXPECT_FALSE(NameMatches("regex:[]", "k"));
  EXPECT_TRUE(NameMatches("regex:[^]", "k"));
  EXPECT_TRUE(NameMatches("regex:^[\\]x]$", "]"));
}

TEST(KernelPattern, VeryLongNamesAreMatchedByTheirStart) {
  const std::string name = "k" + std::string(1 << 20, 'a');
  EXPECT_TRUE(NameMatches("regex:^k(a|b)*", name));
  EXPECT_TRUE(NameMatches("k*", name));
}

TEST(KernelPattern, AnOperatorIsNamedWithItsBrackets) {
  constexpr const char* kCall = "Column::operator()(int) const";
  EXPECT_TRUE(NameMatches("Column::operator()", kCall));
  EXPECT_TRUE(NameMatches("operator()", kCall));
  EXPECT_TRUE(NameMatches("Column", kCall) == NameMatches("Column", "Column::at(int) const"));
  EXPECT_FALSE(NameMatches("Column::operator", kCall));
}

TEST(QualifiedName, BracketsOfAnOperatorBelongToIt) {
  EXPECT_EQ(QualifiedName("a::operator()(int)"), "a::operator()");
  EXPECT_EQ(QualifiedName("a<int>::operator()<b>(int)"), "a::operator()");
  EXPECT_EQ(QualifiedName("operator<(a, b)"), "operator<");
  EXPECT_EQ(QualifiedName("my_operator<int>(a)"), "my_operator");
  EXPECT_EQ(QualifiedName("a::operator("), "a::operator(");
}

TEST(QualifiedName, TagsOfTheBinaryInterfaceAreLeftOut) {
  EXPECT_EQ(QualifiedName("__main__::scale[abi:v1][abi:cw51cXTL_3d](Array<float, 1, C>)"),
            "__main__::scale");
  EXPECT_EQ(QualifiedName("a[abi:v1]::b<c[abi:w]>(int)"), "a::b");
  EXPECT_EQ(QualifiedName("a[abi:v1"), "a");
  EXPECT_TRUE(KernelPattern::Parse("scale").value().Matches(
      "__main__::scale[abi:v1][abi:cw51cXTL_3d](Array<float, 1, C>)"));
}

TEST(QualifiedName, ReturnTypesTemplatesAndParametersAreLeftOut) {
  EXPECT_EQ(QualifiedName("void a::b<c<int>, (d)1>(float*)"), "a::b");
  EXPECT_EQ(QualifiedName("a::b"), "a::b");
  EXPECT_EQ(QualifiedName("a<int>::b(int)"), "a::b");
  EXPECT_EQ(QualifiedName("(anonymous namespace)::b(int)"), "(anonymous namespace)::b");
  EXPECT_EQ(QualifiedName(""), "");
}

}  // namespace
}  // namespace coalcheck::selection
