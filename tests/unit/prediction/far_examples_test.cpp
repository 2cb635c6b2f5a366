// SPDX-License-Identifier: Apache-2.0
//
// Blocks and warps of larger launches than the example.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

TEST(FarExamples, LeaveOpenWhatAnotherWarpDoes) {
  const AccessPrediction one =
      Kernel("shr.u32 %r6, %r1, 5;\nsetp.eq.u32 %p1, %r6, 2;\n" + kStride).Predict();
  EXPECT_LT(Least(one), 0.3);
  EXPECT_GT(Most(one), 0.5);
}

TEST(FarExamples, LeaveOpenWhatABlockFarBehindDoes) {
  for (const char* first : {"8", "1000", "70000"}) {
    const std::string guard = std::string("setp.ge.u32 %p1, %r4, ") + first + ";\n";
    const AccessPrediction one = Kernel(guard + kStride).Predict();
    EXPECT_EQ(Least(one), 0) << first;
    EXPECT_GT(Most(one), 0.5) << first;
  }
}

TEST(FarExamples, LeaveOpenASingleSectorThatBlocksFarBehindWaste) {
  const AccessPrediction one =
      Kernel("shr.u32 %r6, %r4, 6;\nadd.s32 %r9, %r3, %r6;\n" + kLoad).Predict();
  EXPECT_EQ(Least(one), 0);
  EXPECT_GT(Most(one), 0.15);  // one of five
}

TEST(FarExamples, LeaveOpenWhatThreadsBehindANumberDo) {
  const AccessPrediction one = Kernel("setp.ge.u32 %p1, %r3, 100000;\n" + kStride).Predict();
  EXPECT_EQ(Least(one), 0);
  EXPECT_GT(Most(one), 0.5);
}

TEST(FarExamples, LeaveAloneWhatAllBlocksAndWarpsDoAlike) {
  const AccessPrediction one =
      Kernel("setp.ge.u32 %p1, %r3, 100000;\n@%p1 ret;\nmov.u32 %r9, %r3;\n" + kLoad).Predict();
  EXPECT_EQ(Most(one), 0);
}

}  // namespace
}  // namespace coalcheck::prediction
