// SPDX-License-Identifier: Apache-2.0
//
// Names become readable, and hostile ones stay small.
#include "libcoalcheck/base/demangle.h"

#include <gtest/gtest.h>

namespace coalcheck {
namespace {

TEST(Demangle, NamesAFunctionWithItsParameters) {
  EXPECT_EQ(Demangle("_Z9transposePfPKfii"), "transpose(float*, float const*, int, int)");
}

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(Demangle("saxpy"), "saxpy");
  EXPECT_EQ(Demangle(""), "");
  EXPECT_EQ(Demangle("_Z"), "_Z");
  EXPECT_EQ(Demangle("_Znonsense"), "_Znonsense");
}

TEST(Demangle, MakesBothSidesOfADollarReadable) {
  EXPECT_EQ(Demangle("$_Z6kernelPf$_Z6calleei"), "$kernel(float*)$callee(int)");
}

TEST(Demangle, ShortensNamesBeyondAThousandCharacters) {
  std::string name = "_ZN3cub6KernelI";
  for (int i = 0; i < 1000; ++i) name += "Li0E";
  EXPECT_EQ(Demangle(name + "EEvv"), "cub::Kernel<…>");
}

TEST(Demangle, StopsANameThatWouldFillTheMemory) {
  // Each pair holds the previous one twice: 2^60 characters from a few hundred.
  std::string name = "_Z1f1PIiiES_IS0_S0_ES_IS1_S1_E";
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (std::size_t i = 2; i < 36; ++i) {
    name += std::string("S_IS") + digits[i] + "_S" + digits[i] + "_E";
  }
  EXPECT_EQ(Demangle(name), name);
}

// Whoever looks for the pack of this expansion, which has none, walks 2^34 ways through it.
TEST(Demangle, StopsAPackExpansionWhosePartsReferToEachOther) {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1fDp1QI1PIiiE";
  for (std::size_t i = 1; i < 34; ++i) {
    name += std::string("S0_IS") + digits[i] + "_S" + digits[i] + "_E";
  }
  EXPECT_EQ(Demangle(name + "E"), name + "E");
}

TEST(Demangle, StopsAtTypesNestedTooDeeplyForASmallStack) {
  const std::string name = "_Z1f" + std::string(1000, 'P') + "i";
  EXPECT_EQ(Demangle(name), name);
  EXPECT_EQ(Demangle("_Z1f" + std::string(50, 'P') + "i"), "f(int" + std::string(50, '*') + ")");
}

TEST(Demangle, NamesWhatTemplatesAndLambdasMakeOfAKernel) {
  EXPECT_EQ(Demangle("_Z4copyIJfdEEvPfDpT_"), "void copy<float, double>(float*, float, double)");
  EXPECT_EQ(Demangle("_ZN12_GLOBAL__N_14copyIfLi4EEEvPT_"),
            "void (anonymous namespace)::copy<float, 4>(float*)");
  EXPECT_EQ(Demangle("_ZZ4mainENKUliE_clEi"), "main::'lambda'(int)::operator()(int) const");
  EXPECT_EQ(Demangle("_ZZ1fvE4shar_0"), "f()::shar");
}

TEST(Demangle, SurvivesALengthThatOverflows) {
  EXPECT_EQ(Demangle("_ZN99999999999999999999999999a"), "_ZN99999999999999999999999999a");
}

TEST(Demangle, EndsAtAnEmbeddedNul) { EXPECT_EQ(Demangle(std::string_view("_Z1fv\0x", 7)), "f()"); }

}  // namespace
}  // namespace coalcheck
