// SPDX-License-Identifier: Apache-2.0
//
// PTX lines are found by number, and memory instructions say what they move.
#include "libcoalcheck/cubin/ptx_text.h"

#include <gtest/gtest.h>

#include <ostream>

namespace coalcheck::cubin {

void PrintTo(const PtxAccess& access, std::ostream* out) {
  *out << ToString(access.kind) << ' ' << access.width.count()
       << (access.generic ? " generic" : "");
}

namespace {

using namespace std::string_view_literals;

PtxAccess Global(AccessKind kind, std::uint64_t width) { return {kind, Bytes(width), false}; }
PtxAccess Generic(AccessKind kind, std::uint64_t width) { return {kind, Bytes(width), true}; }

TEST(PtxAccess, HasTheWidthOfItsTypeTimesItsVector) {
  EXPECT_EQ(ReadPtxAccess("ld.global.f32 \t%f1, [%rd6];"), Global(AccessKind::kLoad, 4));
  EXPECT_EQ(ReadPtxAccess("ld.global.nc.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd6];"),
            Global(AccessKind::kLoad, 16));
  EXPECT_EQ(ReadPtxAccess("st.global.v2.u8 \t[%rd6], {%rs1, %rs2};"),
            Global(AccessKind::kStore, 2));
  EXPECT_EQ(ReadPtxAccess("ld.global.v8.b32 {%r1}, [%rd6];"), Global(AccessKind::kLoad, 32));
  EXPECT_EQ(ReadPtxAccess("ld.relaxed.sys.global.u16 %rs1, [%rd1];"), Global(AccessKind::kLoad, 2));
  EXPECT_EQ(ReadPtxAccess("ld.global.L1::evict_first.L2::64B.b64 %rd2, [%rd1];"),
            Global(AccessKind::kLoad, 8));
  EXPECT_EQ(ReadPtxAccess("atom.global.cas.b128 %rq1, [%rd1], %rq2, %rq3;"),
            Global(AccessKind::kAtomic, 16));
}

TEST(PtxAccess, IsGenericWithoutAStateSpace) {
  EXPECT_EQ(ReadPtxAccess("ld.f64 %fd1, [%rd1];"), Generic(AccessKind::kLoad, 8));
  EXPECT_EQ(ReadPtxAccess("{ atom.add.noftz.f16x2 %r1,[%rd1],%r4; }"),
            Generic(AccessKind::kAtomic, 4));
}

TEST(PtxAccess, IsReadBehindAPredicate) {
  EXPECT_EQ(ReadPtxAccess("@!%p1 red.global.add.s32 [%rd1], %r1;"),
            Global(AccessKind::kReduction, 4));
}

TEST(PtxAccess, OfAnAsynchronousCopyHasItsOperandsWidth) {
  EXPECT_EQ(ReadPtxAccess("cp.async.ca.shared.global [%r1], [%rd1], 8, 8;"),
            Global(AccessKind::kAsyncCopy, 8));
  EXPECT_EQ(ReadPtxAccess("cp.async.cg.shared.global [%r1 + 0], [%rd1], 16;"),
            Global(AccessKind::kAsyncCopy, 16));
}

TEST(PtxAccess, IsAnAsynchronousStoreToGlobalMemory) {
  EXPECT_EQ(ReadPtxAccess("st.async.release.gpu.global.u32 [%rd1], %r1;"),
            (PtxAccess{AccessKind::kStore, Bytes(4), false}));
  EXPECT_EQ(ReadPtxAccess("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, "
                          "[%r3];"),
            std::nullopt);
}

TEST(PtxAccess, IsNothingElse) {
  for (const char* other :
       {"", "@", "@%p1", "ld", "ld.shared.f32 %f1, [%r1];", "ld.param.u64 %rd1, [p];",
        "ld.const.f32 %f1, [c];", "st.local.u32 [%r1], %r2;", "mov.u32 %r1, %tid.x;",
        "cp.async.bulk.shared.global [%r1], [%rd1], 16, [%r2];", "red.async.shared::cluster.u32 x;",
        "cp.async.commit_group;"}) {
    const std::optional<PtxAccess> access = ReadPtxAccess(other);
    EXPECT_TRUE(!access || access->width == Bytes(0)) << other;
  }
  EXPECT_EQ(ReadPtxAccess("ld.shared.f32 %f1, [%r1];"), std::nullopt);
}

TEST(SpecialAccess, IsAPartOfAMatrixOrGoesToSeveralGpus) {
  EXPECT_EQ(
      ReadSpecialAccess("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r2}, [%rd6], %r1;"),
      AccessKind::kLoad);
  EXPECT_EQ(ReadSpecialAccess("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%rd5], {%f2}, %r1;"),
            AccessKind::kStore);
  EXPECT_EQ(ReadSpecialAccess("multimem.ld_reduce.global.add.f32 %f1, [%rd1];"), AccessKind::kLoad);
  EXPECT_EQ(ReadSpecialAccess("@%p1 multimem.red.relaxed.sys.global.add.f32 [%rd1], %f1;"),
            AccessKind::kReduction);
}

TEST(SpecialAccess, IsNothingElse) {
  for (const char* other :
       {"", "wmma", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r2}, [%rd6];",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f2};", "ld.global.f32 %f1, [%rd6];"}) {
    EXPECT_EQ(ReadSpecialAccess(other), std::nullopt) << other;
  }
}

TEST(BulkCopy, IsKnownByWhereItsDataGo) {
  EXPECT_EQ(ReadBulkCopy("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], "
                         "[%rd1], 16, [%r2];"),
            AccessKind::kLoad);
  EXPECT_EQ(
      ReadBulkCopy("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [%r2];"),
      AccessKind::kStore);
  EXPECT_EQ(ReadBulkCopy("multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;"),
            AccessKind::kStore);
  EXPECT_EQ(
      ReadBulkCopy("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 16;"),
      AccessKind::kReduction);
  for (const char* other :
       {"cp.async.bulk.commit_group;", "cp.async.bulk.wait_group 0;",
        "cp.async.bulk.prefetch.L2.global [%rd1], 16;",
        "cp.async.ca.shared.global [%r1], [%rd1], 4;",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r2];"}) {
    EXPECT_EQ(ReadBulkCopy(other), std::nullopt) << other;
  }
}

TEST(PtxText, CountsLinesFromOne) {
  const PtxText text("first\0\0  third \0last"sv);
  EXPECT_EQ(text.Line(0), "");
  EXPECT_EQ(text.Line(1), "first");
  EXPECT_EQ(text.Line(2), "");
  EXPECT_EQ(text.Line(3), "third");
  EXPECT_EQ(text.Line(4), "last");
  EXPECT_EQ(text.Line(5), "");
}

TEST(PtxText, EndsABlockAtEveryEmptyLine) {
  const PtxText text("a\0b\0\0c\0"sv);
  EXPECT_EQ(text.Block(1), text.Block(2));
  EXPECT_NE(text.Block(2), text.Block(4));
  EXPECT_EQ(text.Block(0), 0U);
  EXPECT_EQ(text.Block(99), 0U);
}

}  // namespace
}  // namespace coalcheck::cubin
