// SPDX-License-Identifier: Apache-2.0
//
// Which kernels a name fits.
#include "libcoalcheck/prediction/kernel_names.h"

#include <gtest/gtest.h>

#include <string>

namespace coalcheck::prediction {
namespace {

constexpr const char* kCopyOfFloats = "_ZN2ns4copyIfEEvPT_i";  // ns::copy<float>(float*, int)
constexpr const char* kCopyOfDoubles = "_ZN2ns4copyIdEEvPT_i";

std::vector<NamedLaunch> Named(const std::string& kernel) { return {{kernel, {}}}; }

TEST(KernelNames, FitWithAndWithoutWhatTellsKernelsApart) {
  for (const char* name :
       {"copy", "ns::copy", "copy<float>", "ns::copy<float>(float*, int)",
        "copy<float>(float *,int)", "void ns::copy<float>(float*, int)", kCopyOfFloats}) {
    EXPECT_TRUE(IsCalled(kCopyOfFloats, name)) << name;
  }
  for (const char* name : {"", "opy", "copy<double>", "copy(float*, int)", "copy<float>(float*)"}) {
    EXPECT_FALSE(IsCalled(kCopyOfFloats, name)) << name;
  }
  EXPECT_TRUE(IsCalled("_ZN12_GLOBAL__N_14copyEPf", "(anonymous namespace)::copy(float*)"));
  EXPECT_TRUE(IsCalled("_ZN12_GLOBAL__N_14copyEPf", "copy"));
}

TEST(KernelNames, AreRefusedWhereTheyFitSeveralKernels) {
  const std::vector<HeldKernel> kernels{{kCopyOfFloats, "a", 90, ""},
                                        {kCopyOfDoubles, "a", 90, ""}};
  const auto refused = MatchByHand(Named("copy"), kernels);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error(),
            "'copy' fits several kernels; name one of them in full:\n"
            "  ns::copy<double>(double*, int)\n  ns::copy<float>(float*, int)");
  const auto matched = MatchByHand(Named("copy<double>"), kernels);
  ASSERT_TRUE(matched.ok());
  EXPECT_EQ(matched.value().kernels.count(kCopyOfDoubles), 1U);
  EXPECT_EQ(matched.value().kernels.size(), 1U);
}

TEST(KernelNames, AreRefusedWhereTwoFilesMeanDifferentKernels) {
  const std::vector<HeldKernel> kernels{{"k", "a.cubin", 90, "x"}, {"k", "b.cubin", 90, "y"}};
  const auto refused = MatchByHand(Named("k"), kernels);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().find("k, in a.cubin\n  k, in b.cubin"), std::string::npos)
      << refused.error();
}

TEST(KernelNames, OfDifferentKernelsAreListedWithTheirFiles) {
  const auto names = AmbiguousNames(
      {{"k", "a", 90, "x"}, {"k", "b", 90, "y"}, {"k", "c", 80, "z"}, {"m", "a", 90, "x"}});
  ASSERT_EQ(names.size(), 1U);
  EXPECT_EQ(names.at("k"), (std::set<std::string>{"a", "b"}));
}

TEST(KernelNames, FitOneKernelOfSeveralArchitecturesAndCopies) {
  const std::vector<HeldKernel> kernels{
      {"k", "a", 80, "x"}, {"k", "a", 90, "y"}, {"k", "b", 90, "y"}};
  const auto matched = MatchByHand(Named("k"), kernels);
  ASSERT_TRUE(matched.ok()) << matched.error();
  EXPECT_EQ(matched.value().kernels.at("k").launches.size(), 1U);
  EXPECT_TRUE(AmbiguousNames(kernels).empty());
}

TEST(KernelNames, ThatFitNothingAreKept) {
  const auto matched = MatchByHand(Named("nobody"), {{"k", "a", 90, ""}});
  ASSERT_TRUE(matched.ok());
  EXPECT_EQ(matched.value().unmatched, std::vector<std::string>{"nobody"});
}

}  // namespace
}  // namespace coalcheck::prediction
