// SPDX-License-Identifier: Apache-2.0
//
// The variable by which NVTX finds its tool is taken only when nobody else has it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "injection/nvtx/arming.h"

namespace coalcheck::nvtx {
namespace {

constexpr const char* kVariable = "NVTX_INJECTION64_PATH";

// The code under test is part of this program.
std::string ThisProgram() {
  char path[4096] = {};
  return readlink("/proc/self/exe", path, sizeof path - 1) < 0 ? "" : path;
}

class NvtxArming : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv(kVariable); }
  void TearDown() override { unsetenv(kVariable); }
};

TEST_F(NvtxArming, AnUnsetVariableIsSetToTheLibrary) {
  EXPECT_EQ(ArmNvtx(), Arming::kArmed);
  EXPECT_EQ(std::getenv(kVariable), ThisProgram());
}

TEST_F(NvtxArming, AnEmptyVariableCountsAsUnset) {
  setenv(kVariable, "", 1);
  EXPECT_EQ(ArmNvtx(), Arming::kArmed);
  EXPECT_EQ(std::getenv(kVariable), ThisProgram());
}

TEST_F(NvtxArming, AVariableThatNamesTheLibraryStaysAsItIs) {
  const std::string roundabout = "/./" + ThisProgram();
  setenv(kVariable, roundabout.c_str(), 1);
  EXPECT_EQ(ArmNvtx(), Arming::kOursBefore);
  EXPECT_EQ(std::getenv(kVariable), roundabout);
}

TEST_F(NvtxArming, AnotherToolIsLeftAlone) {
  for (const char* other : {"/usr/bin/env", "/no/such/library.so"}) {
    setenv(kVariable, other, 1);
    EXPECT_EQ(ArmNvtx(), Arming::kTheirs);
    EXPECT_STREQ(std::getenv(kVariable), other);
  }
}

}  // namespace
}  // namespace coalcheck::nvtx
