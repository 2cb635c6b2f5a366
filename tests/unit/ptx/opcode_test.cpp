// SPDX-License-Identifier: Apache-2.0
//
// Opcodes as nvcc writes them.
#include "libcoalcheck/ptx/opcode.h"

#include <gtest/gtest.h>

#include "libcoalcheck/ptx/numbers.h"

namespace coalcheck::ptx {
namespace {

constexpr Type kU32{Type::Kind::kUnsigned, 4};
constexpr Type kS32{Type::Kind::kSigned, 4};
constexpr Type kF32{Type::Kind::kFloat, 4};

TEST(Opcode, OfALoadSaysSpaceTypeAndElements) {
  const Opcode load = ReadOpcode("ld.global.nc.L1::evict_last.v4.f32");
  EXPECT_EQ(load.op, Op::kLd);
  EXPECT_EQ(load.space, Space::kGlobal);
  EXPECT_EQ(load.type, kF32);
  EXPECT_EQ(load.vector, 4);
  EXPECT_EQ(ReadOpcode("ld.f32").space, Space::kGeneric);
  EXPECT_EQ(ReadOpcode("ld.param::entry.u64").space, Space::kParam);
  EXPECT_EQ(ReadOpcode("st.shared::cta.u32").space, Space::kShared);
}

TEST(Opcode, OfAMultiplicationSaysWhichHalf) {
  EXPECT_EQ(ReadOpcode("mul.wide.s32").mode, Mode::kWide);
  EXPECT_EQ(ReadOpcode("mul.hi.u32").mode, Mode::kHi);
  EXPECT_EQ(ReadOpcode("mad.lo.s32").mode, Mode::kLo);
  EXPECT_EQ(ReadOpcode("mad.lo.s32").type, kS32);
  EXPECT_TRUE(ReadOpcode("mad.lo.cc.u32").carries);
  EXPECT_TRUE(ReadOpcode("madc.hi.u32").carries);
  EXPECT_EQ(ReadOpcode("mul24.lo.s32").op, Op::kOther);
}

TEST(Opcode, OfAConversionSaysBothTypes) {
  const Opcode convert = ReadOpcode("cvt.rzi.s32.f32");
  EXPECT_EQ(convert.type, kS32);
  EXPECT_EQ(convert.from, kF32);
  EXPECT_TRUE(convert.rounds);
  EXPECT_EQ(convert.rounding, 'z');
}

TEST(Opcode, OfAComparisonSaysHowAndWithWhat) {
  const Opcode compare = ReadOpcode("setp.ltu.and.f32");
  EXPECT_EQ(compare.op, Op::kSetp);
  EXPECT_EQ(compare.compare, Compare::kLt);
  EXPECT_TRUE(compare.unordered);
  EXPECT_EQ(compare.combine, Combine::kAnd);
  EXPECT_EQ(ReadOpcode("setp.hs.u32").compare, Compare::kGe);
}

TEST(Opcode, OfAnAtomicSaysWhatItDoes) {
  const Opcode atomic = ReadOpcode("atom.global.add.u32");
  EXPECT_EQ(atomic.op, Op::kAtom);
  EXPECT_EQ(atomic.space, Space::kGlobal);
  EXPECT_EQ(atomic.mode, Mode::kAdd);
  EXPECT_EQ(atomic.type, kU32);
}

TEST(Opcode, OfAnAsynchronousCopyIsOneOfThree) {
  EXPECT_EQ(ReadOpcode("cp.async.ca.shared.global").op, Op::kCpAsync);
  EXPECT_EQ(ReadOpcode("cp.async.wait_group").op, Op::kNothing);
  EXPECT_EQ(ReadOpcode("cp.async.bulk.tensor.2d.shared::cluster.global.tile").op, Op::kBulkCopy);
}

TEST(Opcode, ThatNobodyKnowsIsUnread) {
  EXPECT_EQ(ReadOpcode("frobnicate.u32").op, Op::kUnread);
  EXPECT_EQ(ReadOpcode("").op, Op::kUnread);
  EXPECT_EQ(ReadOpcode("....").op, Op::kUnread);
}

TEST(Opcode, ThatFlushesSubnormalFloatsSaysSo) {
  for (const char* text : {"add.ftz.f32", "setp.eq.ftz.f32", "set.eq.ftz.u32.f32",
                           "cvt.rpi.ftz.s32.f32", "slct.ftz.b32.f32"}) {
    EXPECT_TRUE(ReadOpcode(text).flushes) << text;
  }
  EXPECT_FALSE(ReadOpcode("add.f32").flushes);
}

TEST(Type, IsReadFromItsNameAndFromNothingElse) {
  EXPECT_EQ(TypeFromString("u32"), kU32);
  EXPECT_EQ(TypeFromString("pred").kind, Type::Kind::kPredicate);
  EXPECT_EQ(TypeFromString("f16x2").kind, Type::Kind::kPacked);
  for (const char* name : {"u33", "x32", "u", "", "u3200", "ll32"}) {
    EXPECT_EQ(TypeFromString(name).kind, Type::Kind::kNone) << name;
  }
}

TEST(Number, IsReadInEachOfItsForms) {
  EXPECT_EQ(NumberFromString("17"), 17U);
  EXPECT_EQ(NumberFromString("0x1F"), 31U);
  EXPECT_EQ(NumberFromString("0b101"), 5U);
  EXPECT_EQ(NumberFromString("017"), 15U);
  EXPECT_EQ(NumberFromString("3U"), 3U);
  EXPECT_EQ(NumberFromString("0"), 0U);
  EXPECT_EQ(NumberFromString("0f3F800000"), 0x3F800000U);
  EXPECT_EQ(NumberFromString("0d3FF0000000000000"), 0x3FF0000000000000U);
  EXPECT_EQ(NumberFromString("18446744073709551615"), ~std::uint64_t{0});
}

TEST(Number, ThatIsNoneOrTooLargeIsEmpty) {
  for (const char* text : {"", "x", "18446744073709551616", "0x", "12a", "1.2.3", "0b2", "U"}) {
    EXPECT_EQ(NumberFromString(text), std::nullopt) << text;
  }
}

TEST(Opcode, WithAWordThatIsNotKnownIsNotComputed) {
  for (const char* text : {"min.relu.s32", "max.NaN.f32", "min.xorsign.abs.f32", "prmt.b32.f4e",
                           "add.rn.f32.bf16", "fma.rn.relu.f16", "setp.eq.odd.u32"}) {
    EXPECT_EQ(ReadOpcode(text).op, Op::kOther) << text;
  }
  EXPECT_EQ(ReadOpcode("add.sat.s32").op, Op::kAdd);
  EXPECT_EQ(ReadOpcode("fma.rn.ftz.sat.f32").op, Op::kMad);
  EXPECT_EQ(ReadOpcode("div.full.ftz.f32").op, Op::kDiv);
  EXPECT_EQ(ReadOpcode("shf.l.wrap.b32").op, Op::kShf);
  EXPECT_EQ(ReadOpcode("cvt.rzi.ftz.s32.f32").op, Op::kCvt);
  EXPECT_EQ(ReadOpcode("set.eq.ftz.u32.f32").op, Op::kSet);
  EXPECT_EQ(ReadOpcode("cvta.to.global.u64").op, Op::kCvta);
  EXPECT_EQ(ReadOpcode("isspacep.shared::cta").op, Op::kIsspacep);
  EXPECT_EQ(ReadOpcode("lop3.b32").op, Op::kLop3);
  EXPECT_EQ(ReadOpcode("shfl.sync.bfly.b32").op, Op::kShfl);
  EXPECT_EQ(ReadOpcode("redux.sync.add.s32").op, Op::kRedux);
}

}  // namespace
}  // namespace coalcheck::ptx
