// SPDX-License-Identifier: Apache-2.0
//
// Launches of other sizes than the examples, and registers and memory that keep no old value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "libcoalcheck/prediction/example_shapes.h"
#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

void ExpectOpen(const AccessPrediction& one, const std::string& what) {
  EXPECT_EQ(Least(one), 0) << what;
  EXPECT_GE(Most(one), 0.5) << what;
}

TEST(Shapes, LeaveOpenWhatTheSizeOfABlockDecides) {
  for (const char* condition :
       {"setp.eq.u32 %p1, %r5, 64;\n", "mov.u32 %r6, %ntid.y;\nsetp.eq.u32 %p1, %r6, 4;\n",
        "mov.u32 %r6, %ntid.z;\nsetp.gt.u32 %p1, %r6, 7;\n",
        "mul.lo.u32 %r6, %r5, 7;\nsetp.eq.u32 %p1, %r6, 448;\n",
        "popc.b32 %r6, %r5;\nsetp.eq.u32 %p1, %r6, 2;\n",
        "mov.u32 %r6, %nwarpid;\nsetp.eq.u32 %p1, %r6, 3;\n",
        "mov.u32 %r6, %dynamic_smem_size;\nsetp.ne.u32 %p1, %r6, 0;\n"}) {
    ExpectOpen(Kernel(condition + kStride).Predict(), condition);
  }
}

TEST(Shapes, LeaveOpenWhatTheLastRowsOfALargeBlockDo) {
  const std::string condition = "mov.u32 %r6, %tid.y;\nsetp.gt.u32 %p1, %r6, 15;\n";
  ExpectOpen(Kernel(condition + kStride).Predict(), condition);
}

TEST(Shapes, LeaveOpenWhatTheSizeOfTheGridDecides) {
  for (const char* condition :
       {"mov.u32 %r6, %nctaid.x;\nsetp.gt.u32 %p1, %r6, 5000;\n", "setp.ne.u32 %p1, %r4, 0;\n",
        "bfe.u32 %r6, %r4, 7, 3;\nsetp.eq.u32 %p1, %r6, 5;\n",
        "popc.b32 %r6, %r4;\nsetp.eq.u32 %p1, %r6, 9;\n",
        "mul.lo.u32 %r6, %r4, 3;\nsetp.eq.u32 %p1, %r6, 6000;\n"}) {
    ExpectOpen(Kernel(condition + kStride).Predict(), condition);
  }
}

TEST(Shapes, LeaveOpenAStepOfTheirSizes) {
  for (const char* size : {"%ntid.y", "%ntid.z", "%nctaid.x", "%nctaid.z"}) {
    ExpectOpen(
        Kernel(std::string("mov.u32 %r7, ") + size + ";\nmul.lo.u32 %r9, %r1, %r7;\n" + kLoad)
            .Predict(),
        size);
  }
}

TEST(Shapes, LeaveOpenWhereRowsOfABlockBegin) {
  for (const char* axis : {"%tid.y", "%tid.z"}) {
    const AccessPrediction one =
        Kernel(std::string("mov.u32 %r6, ") + axis + ";\nmad.lo.s32 %r9, %r6, 129, %r1;\n" + kLoad)
            .Predict();
    EXPECT_EQ(Least(one), 0) << axis;
    EXPECT_GT(Most(one), 0.1) << axis;  // more than is allowed
  }
}

TEST(Shapes, OfSmallBlocksDifferAlongEachAxisToo) {
  for (const std::uint32_t most : {32U, 64U, 96U, 128U, 255U, 256U, 1024U}) {
    ptx::Function function;
    function.max_threads[0] = most;
    std::uint32_t height = 1;
    std::uint32_t depth = 1;
    for (const address::Extent& block : ExampleBlocks(function, true, true)) {
      EXPECT_LE(block.count(), most);
      EXPECT_EQ(block.x % 32, 0);
      height = std::max(height, block.y);
      depth = std::max(depth, block.z);
    }
    EXPECT_EQ(height, most == 1024 ? 32 : std::min(most / 32, 8U)) << most;
    EXPECT_EQ(depth, std::min(most / 32, 8U)) << most;
  }
}

TEST(Shapes, LeaveAloneWhatIsAlikeInAllOfThem) {
  const std::string row =
      "mov.u32 %r6, %ctaid.y;\nmov.u32 %r7, %ntid.y;\nmad.lo.u32 %r8, %r6, %r7, %r1;\n";
  EXPECT_EQ(Most(Kernel(row + "mov.u32 %r9, %r3;\n" + kLoad).Predict()), 0);
  EXPECT_DOUBLE_EQ(Least(Kernel(row + "mul.lo.u32 %r9, %r1, 32;\n" + kLoad).Predict()), 0.875);
}

// a[8 * __clz(tid)]: neighbours are apart in the first warps alone.
TEST(Shapes, LeaveOpenWhatBitsOfAThreadsNumberPart) {
  const std::string bits = "clz.b32 %r6, %r1;\nmul.lo.s32 %r9, %r6, 8;\n";
  ExpectOpen(Kernel(bits + kLoad).Predict(), bits);
  const LaunchesOfKernel known = FourBlocks(128, 0);
  const AccessPrediction given = Kernel(bits + kLoad).Predict(&known);
  EXPECT_EQ(Least(given), Most(given));
  // The same for whole warps.
  EXPECT_EQ(Most(Kernel("clz.b32 %r6, %r4;\nmad.lo.s32 %r9, %r6, 8, %r1;\n" + kLoad).Predict()), 0);
}

TEST(OldValues, AreNoneOfACallThatStays) {
  const AccessPrediction one =
      Kernel("mov.u32 %r7, 1;\ncall (%r7), outside, (%r1);\nmul.lo.u32 %r9, %r1, %r7;\n" + kLoad)
          .Predict();
  EXPECT_GT(Most(one), 0.5);
}

TEST(OldValues, AreNoneWhereAGenericStoreMayHaveChangedThem) {
  const AccessPrediction one =
      Kernel(
          ".local .align 4 .b8 own[4];\nmov.u64 %rd4, own;\ncvta.local.u64 %rd5, %rd4;\n"
          "st.local.u32 [%rd4], 1;\nst.u32 [%rd5], 32;\nld.local.u32 %r7, [%rd4];\n"
          "mul.lo.u32 %r9, %r1, %r7;\n" +
          kLoad)
          .PredictLast();
  EXPECT_GT(Most(one), 0.5);
}

TEST(OldValues, AreNoneOfAClock) {
  const AccessPrediction one =
      Kernel("mov.u32 %r6, %clock;\nmov.u32 %r7, %clock;\nsetp.ne.u32 %p1, %r6, %r7;\n" + kStride)
          .Predict();
  EXPECT_GT(Most(one), 0.5);
}

}  // namespace
}  // namespace coalcheck::prediction
