// SPDX-License-Identifier: Apache-2.0
//
// Halves, roundings, functions that the GPU approximates, bytes: each number as PTX defines it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "libcoalcheck/address/compute_float.h"
#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

std::uint64_t Computed(std::string_view opcode, std::uint64_t a, std::uint64_t b = 0,
                       std::uint64_t c = 0, std::uint64_t d = 0) {
  const ptx::Opcode code = ptx::ReadOpcode(opcode);
  const Computation compute = ComputationOf(code);
  EXPECT_TRUE(compute.exists()) << opcode;
  return compute.exists() ? compute({&code, a, b, c, d}) : 0;
}

std::uint64_t Float(float value) { return std::bit_cast<std::uint32_t>(value); }

// The definitions of PTX ISA, chapter 9.7.1, bit by bit.
std::uint64_t ExtractedBits(std::uint64_t value, unsigned from, unsigned length, unsigned width,
                            bool is_signed) {
  const unsigned last = std::min(from + length - 1, width - 1);
  const bool sign = is_signed && length != 0 && (value >> last & 1U) != 0;
  std::uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i) {
    const bool is_there = i < length && from + i < width;
    const bool bit = is_there ? (value >> (from + i) & 1U) != 0 : sign;
    result |= std::uint64_t{bit} << i;
  }
  return result;
}

std::uint64_t WithBitsInserted(std::uint64_t into, std::uint64_t value, unsigned from,
                               unsigned length, unsigned width) {
  for (unsigned i = 0; i < length && from + i < width; ++i) {
    into &= ~(std::uint64_t{1} << (from + i));
    into |= (value >> i & 1U) << (from + i);
  }
  return into;
}

TEST(ComputedNumbers, FieldsOfBitsAreTakenAndPutWhereverTheyLie) {
  const std::uint64_t a = 0x9abcdef0'12345678U;
  const std::uint64_t b = 0x0f1e2d3c'a5b69788U;
  for (const unsigned from : {0U, 1U, 31U, 32U, 40U, 63U, 64U, 255U}) {
    for (const unsigned length : {0U, 1U, 7U, 31U, 32U, 33U, 63U, 64U, 255U}) {
      SCOPED_TRACE(testing::Message() << from << ", " << length);
      const std::uint64_t low = a & 0xffffffffU;
      EXPECT_EQ(Computed("bfe.u32", low, from, length),
                ExtractedBits(low, from, length, 32, false));
      EXPECT_EQ(Computed("bfe.s64", a, from, length), ExtractedBits(a, from, length, 64, true));
      EXPECT_EQ(Computed("bfe.s32", b & 0xffffffffU, from, length),
                ExtractedBits(b & 0xffffffffU, from, length, 32, true));
      EXPECT_EQ(Computed("bfi.b64", a, b, from, length), WithBitsInserted(b, a, from, length, 64));
      EXPECT_EQ(Computed("bfi.b32", low, b & 0xffffffffU, from, length),
                WithBitsInserted(b & 0xffffffffU, low, from, length, 32));
    }
  }
}

TEST(ComputedNumbers, BitsAreReversedAndCombinedByATable) {
  EXPECT_EQ(Computed("brev.b32", 0x80000003U), 0xc0000001U);
  EXPECT_EQ(Computed("brev.b64", 0x1234U), 0x2c48000000000000U);
  // Bit by bit, the three numbers hold every combination in the order of the table.
  for (std::uint64_t table = 0; table < 256; ++table) {
    EXPECT_EQ(Computed("lop3.b32", 0xf0, 0xcc, 0xaa, table) & 0xffU, table);
  }
}

TEST(ComputedNumbers, AHalfIsTheNearestAndOfTwoTheEvenOne) {
  const auto half = [](float value) { return Computed("cvt.rn.f16.f32", Float(value)); };
  EXPECT_EQ(half(1), 0x3c00U);
  EXPECT_EQ(half(-2), 0xc000U);
  EXPECT_EQ(half(1.F / 3), 0x3555U);
  EXPECT_EQ(half(2049), 0x6800U);  // between 2048 and 2050
  EXPECT_EQ(half(2051), 0x6802U);  // between 2050 and 2052
  EXPECT_EQ(half(65519), 0x7bffU);
  EXPECT_EQ(half(65520), 0x7c00U);
  EXPECT_EQ(half(std::ldexp(1.F, -24)), 1U);
  EXPECT_EQ(half(std::ldexp(1.F, -25)), 0U);
  EXPECT_EQ(half(std::ldexp(3.F, -25)), 2U);
  EXPECT_EQ(half(-0.F), 0x8000U);
  EXPECT_EQ(half(std::numeric_limits<float>::quiet_NaN()), 0x7fffU);
}

TEST(ComputedNumbers, EveryHalfComesBackFromItsFloat) {
  for (std::uint64_t bits = 0; bits <= 0xffff; ++bits) {
    if ((bits & 0x7fffU) > 0x7c00U) continue;  // NaN
    EXPECT_EQ(Computed("cvt.rn.f16.f32", Computed("cvt.f32.f16", bits)), bits);
  }
}

TEST(ComputedNumbers, HalvesAreAddedWithOneRounding) {
  EXPECT_EQ(Computed("add.f16", 0x6800, 0x3c00), 0x6800U);             // 2048 + 1
  EXPECT_EQ(Computed("fma.rn.f16", 0x3800, 0x4400, 0x3c00), 0x4200U);  // 0.5 * 4 + 1
  EXPECT_EQ(Computed("setp.lt.f16", 0xc000, 0x3c00), 1U);              // -2 < 1
}

TEST(ComputedNumbers, ADirectedRoundingGoesToItsSide) {
  const std::uint64_t one = Float(1);
  const std::uint64_t little = Float(std::ldexp(1.F, -30));
  EXPECT_EQ(Computed("add.rn.f32", one, little), one);
  EXPECT_EQ(Computed("add.rm.f32", one, little), one);
  EXPECT_EQ(Computed("add.rz.f32", one, little), one);
  EXPECT_EQ(Computed("add.rp.f32", one, little), one + 1);
  EXPECT_EQ(Computed("sub.rz.f32", Float(-1), little), Float(-1));
  EXPECT_EQ(Computed("sub.rm.f32", Float(-1), little), Float(-1) + 1);
  // The nearest one is above the product.
  EXPECT_EQ(Computed("mul.rp.f32", Float(0.1F), Float(0.1F)), Float(0.1F * 0.1F));
  EXPECT_EQ(Computed("mul.rm.f32", Float(0.1F), Float(0.1F)), Float(0.1F * 0.1F) - 1);
}

TEST(ComputedNumbers, WhatIsRoundedInAWayThatIsNotComputedIsNotSaid) {
  for (const std::string_view opcode :
       {"add.rp.f64", "cvt.rz.f16.f32", "cvt.rz.f32.s32", "add.sat.s32", "fma.rn.bf16",
        "isspacep.const", "isspacep.param"}) {
    EXPECT_FALSE(ComputationOf(ptx::ReadOpcode(opcode)).exists()) << opcode;
  }
}

TEST(ComputedNumbers, SaturationKeepsToZeroAndOne) {
  EXPECT_EQ(Computed("add.sat.f32", Float(0.5F), Float(0.75F)), Float(1));
  EXPECT_EQ(Computed("cvt.sat.f32.f32", Float(-3)), Float(0));
  EXPECT_EQ(Computed("cvt.sat.f32.f32", Float(0.25F)), Float(0.25F));
  EXPECT_EQ(Computed("add.sat.f32", Float(std::numeric_limits<float>::quiet_NaN()), 0), Float(0));
  EXPECT_EQ(Computed("cvt.rni.sat.u8.f32", Float(300)), 255U);
}

TEST(ComputedNumbers, FunctionsThatTheGpuApproximatesAreNearIt) {
  EXPECT_EQ(Computed("ex2.approx.ftz.f32", Float(3)), Float(8));
  EXPECT_EQ(Computed("lg2.approx.f32", Float(8)), Float(3));
  EXPECT_EQ(Computed("rcp.approx.f32", Float(4)), Float(0.25F));
  EXPECT_EQ(Computed("rsqrt.approx.f32", Float(16)), Float(0.25F));
  EXPECT_EQ(Computed("sqrt.approx.f32", Float(9)), Float(3));
  EXPECT_EQ(Computed("sin.approx.f32", Float(0)), Float(0));
  EXPECT_EQ(Computed("cos.approx.f32", Float(0)), Float(1));
  EXPECT_EQ(Computed("tanh.approx.f32", Float(40)), Float(1));
}

TEST(ComputedNumbers, ADotProductOfBytesHasTheirSigns) {
  EXPECT_EQ(Computed("dp4a.u32.u32", 0x01020304, 0x0a0a0a0a, 5), 105U);
  EXPECT_EQ(Computed("dp4a.s32.s32", 0xff000000, 0x02000000, 0), 0xfffffffeU);
  EXPECT_EQ(Computed("dp4a.u32.s32", 0xff000000, 0xff000000, 0), 0xffffff01U);
}

TEST(ComputedNumbers, AConvertedNumberIsExtendedToAnyRegisterByItsTypesSign) {
  const std::uint64_t ones = ~std::uint64_t{0};
  EXPECT_EQ(Computed("cvt.s8.u32", 200), ones - 55);
  EXPECT_EQ(Computed("cvt.u8.u32", 456), 200U);
  EXPECT_EQ(Computed("cvt.s16.u32", 0x8000), ones - 0x7fff);
  EXPECT_EQ(Computed("cvt.s32.s32", 0xffffffffU), ones);
  EXPECT_EQ(Computed("cvt.u32.s32", 0xffffffffU), 0xffffffffU);
  EXPECT_EQ(Computed("cvt.rzi.s8.f32", Float(-2)), ones - 1);
  EXPECT_EQ(Computed("cvt.rzi.s8.f32", Float(-1000)), ones - 127);
  EXPECT_EQ(Computed("cvt.rzi.s8.f32", Float(1000)), 127U);
  EXPECT_EQ(Computed("cvt.rzi.s32.f32", Float(-2)), ones - 1);
}

TEST(ComputedNumbers, TheIntegerOfANanIsZeroOrTheHighestBit) {
  const std::uint64_t nan = Float(std::numeric_limits<float>::quiet_NaN());
  const auto wide = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(Computed("cvt.rzi.s32.f32", nan), 0U);
  EXPECT_EQ(Computed("cvt.rzi.u8.f16", 0x7e00), 0U);
  EXPECT_EQ(Computed("cvt.rzi.s64.f32", nan), 0x8000000000000000U);
  EXPECT_EQ(Computed("cvt.rzi.u64.f32", nan), 0x8000000000000000U);
  EXPECT_EQ(Computed("cvt.rzi.s32.f64", wide), 0xffffffff80000000U);
  EXPECT_EQ(Computed("cvt.rzi.u32.f64", wide), 0x80000000U);
}

TEST(ComputedNumbers, OfTwoZerosTheNegativeOneIsLess) {
  const std::uint64_t negative = Float(-0.F);
  for (const auto& [a, b] : {std::pair(negative, Float(0)), std::pair(Float(0), negative)}) {
    EXPECT_EQ(Computed("min.f32", a, b), negative);
    EXPECT_EQ(Computed("max.f32", a, b), Float(0));
  }
  EXPECT_EQ(Computed("min.f16", 0, 0x8000), 0x8000U);
  EXPECT_EQ(Computed("max.f16", 0x8000, 0), 0U);
}

TEST(ComputedNumbers, ASelectionByANanTakesTheSecond) {
  const std::uint64_t nan = Float(std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(Computed("slct.b32.f32", 4, 128, nan), 128U);
  EXPECT_EQ(Computed("slct.b32.f32", 4, 128, Float(-0.F)), 4U);
  EXPECT_EQ(Computed("slct.b32.f32", 4, 128, Float(-1)), 128U);
  EXPECT_EQ(Computed("slct.ftz.b32.f32", 4, 128, 0x80000001U), 4U);
}

TEST(ComputedNumbers, WhatFlushesTakesAndGivesNoSubnormalFloats) {
  const std::uint64_t least = 1;  // of f32 and f16
  const std::uint64_t normal = 0x00800000U;
  EXPECT_EQ(Computed("mul.f32", least, Float(1)), least);
  EXPECT_EQ(Computed("mul.ftz.f32", least, Float(1)), 0U);
  EXPECT_EQ(Computed("mul.ftz.f32", normal, Float(-0.5F)), Float(-0.F));
  EXPECT_EQ(Computed("add.ftz.f32", normal, Float(0)), normal);
  EXPECT_EQ(Computed("add.ftz.f16", least, 0), 0U);
  EXPECT_EQ(Computed("add.rz.ftz.f32", least, Float(0)), 0U);
  EXPECT_EQ(Computed("sqrt.approx.ftz.f32", least), 0U);
  EXPECT_EQ(Computed("ex2.approx.ftz.f32", Float(-127)), 0U);
}

TEST(ComputedNumbers, ComparisonsAndConversionsFlushTheirOperands) {
  const std::uint64_t least = 1;
  EXPECT_EQ(Computed("setp.eq.f32", least, 0), 0U);
  EXPECT_EQ(Computed("setp.eq.ftz.f32", least, 0), 1U);
  EXPECT_EQ(Computed("set.eq.ftz.u32.f32", least, 0), 0xffffffffU);
  EXPECT_EQ(Computed("cvt.rpi.s32.f32", least), 1U);
  EXPECT_EQ(Computed("cvt.rpi.ftz.s32.f32", least), 0U);
  // Halves are left as they are.
  EXPECT_EQ(Computed("cvt.ftz.f32.f16", least), Float(std::ldexp(1.F, -24)));
  EXPECT_EQ(Computed("cvt.rn.ftz.f16.f32", Float(std::ldexp(1.F, -24))), least);
  const auto tiny = std::bit_cast<std::uint64_t>(std::ldexp(-1., -140));
  EXPECT_EQ(Computed("cvt.rn.ftz.f32.f64", tiny), Float(-0.F));
}

TEST(ComputedNumbers, ParametersLieInGlobalMemoryToo) {
  EXPECT_EQ(Computed("isspacep.global", kParameterWindow + 8), 1U);
  EXPECT_EQ(Computed("isspacep.global", kSharedWindow + 8), 0U);
}

// Of a load whose lanes are as many bytes from each other as %r6 says.
LaneShape ShapeOf(const std::string& body) {
  const std::string load =
      "mul.wide.u32 %rd3, %r5, %r6;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r8, [%rd4];\n";
  return Evaluated(body + load).shapes.at(0).shape;
}
bool IsKnown(const std::string& body) { return ShapeOf(body).kind == LaneShape::Kind::kStep; }

TEST(ComputedNumbers, SinglePrecisionHasOneNanAndTheBitsOfAnotherAreNotKnown) {
  const std::string less = "sub.s32 %r10, %r5, 1;\ncvt.rn.f32.s32 %f1, %r10;\n";
  const std::string step = "mov.b32 %r7, %f2;\nshr.u32 %r9, %r7, 31;\nadd.s32 %r6, %r9, 4;\n";
  for (const std::string nan :
       {"div.rn.f32 %f2, 0f00000000, 0f00000000;\n", "mov.b32 %f2, 0f7fffffff;\n"}) {
    EXPECT_TRUE(IsKnown(nan + step)) << nan;
    EXPECT_EQ(ShapeOf(nan + step).step, 4) << nan;
  }
  EXPECT_TRUE(IsKnown(less + "div.rn.f32 %f2, 0f00000000, %f1;\n" + step));
  const std::string wide =
      "mov.b64 %rd7, %fd2;\ncvt.u32.u64 %r7, %rd7;\nand.b32 %r9, %r7, 1;\nadd.s32 %r6, %r9, 4;\n";
  EXPECT_FALSE(IsKnown("div.rn.f64 %fd2, 0d0000000000000000, 0d0000000000000000;\n" + wide));
  EXPECT_TRUE(IsKnown("div.rn.f64 %fd2, 0d0000000000000000, 0d3ff0000000000000;\n" + wide));
}

TEST(ComputedNumbers, TheLeastOfThreeIsNotKnown) {
  const std::string step = "cvt.rzi.u32.f32 %r6, %f2;\n";
  EXPECT_TRUE(IsKnown("min.f32 %f2, 0f40800000, 0f41000000;\n" + step));
  EXPECT_FALSE(IsKnown("min.f32 %f2, 0f40800000, 0f41000000, 0f00000000;\n" + step));
}

TEST(ComputedNumbers, LanesHandOnWhatTheTypeHoldsOfARegister) {
  const auto lane_zero = [](const std::string& number) {
    return "setp.eq.s32 %p1, %r5, 0;\nmov.u32 %r7, 0xfffffff0;\ncvt.s32.s32 %r8, %r7;\n"
           "selp.b64 %r9, %r8, " +
           number + ", %p1;\n";
  };
  EXPECT_EQ(
      ShapeOf(lane_zero("0xfffffff8") + "redux.sync.min.u32 %r9, %r9, -1;\nadd.s32 %r6, %r9, 20;\n")
          .step,
      4);
  EXPECT_EQ(
      ShapeOf(lane_zero("0xfffffff0") + "match.any.sync.b32 %r9, %r9, -1;\nadd.s32 %r6, %r9, 5;\n")
          .step,
      4);
}

TEST(ComputedNumbers, AnEvaluationSaysThatItComputedNearlyAlone) {
  const std::string convert = "cvt.rzi.s32.f32 %r6, %f2;\n" + std::string(kIndexed);
  const std::string number = "cvt.rn.f32.u32 %f1, %r5;\n";
  const auto evaluated = [&](const std::string& body) {
    return EvaluateKernel(number + body + convert, {4, 1, 1}, {32, 1, 1}, 128);
  };
  EXPECT_TRUE(evaluated("sqrt.approx.f32 %f2, %f1;\n").is_approximate);
  EXPECT_FALSE(evaluated("sqrt.rn.f32 %f2, %f1;\n").is_approximate);
  // What no address depends on makes none inexact.
  EXPECT_FALSE(evaluated("sqrt.approx.f32 %f3, %f1;\nmov.f32 %f2, %f1;\n").is_approximate);
}

}  // namespace
}  // namespace coalcheck::address
