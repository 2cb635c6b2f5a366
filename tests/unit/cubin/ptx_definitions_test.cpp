// SPDX-License-Identifier: Apache-2.0
//
// Where PTX computes an address, and which accesses are told apart by it.
#include "libcoalcheck/cubin/ptx_definitions.h"

#include <gtest/gtest.h>

#include <string>

#include "libcoalcheck/cubin/placed_access.h"

namespace coalcheck::cubin {
namespace {

TEST(AddressRegister, IsTheOneBetweenBrackets) {
  EXPECT_EQ(AddressRegister("ld.global.f32 %f1, [%rd7+12];"), "%rd7");
  EXPECT_EQ(AddressRegister("@%p1 st.global.f32 [%rd14], %f5;"), "%rd14");
  EXPECT_EQ(AddressRegister("cp.async.ca.shared.global [%r1], [%rd2], 16;"), "%rd2");
  EXPECT_EQ(AddressRegister("ld.param.u64 %rd1, [kernel_param_0];"), "");
  EXPECT_EQ(AddressRegister("ret;"), "");
  EXPECT_EQ(AddressRegister("ld.global.f32 %f1, ["), "");
}

TEST(PtxDefinitions, TheLastWriteBeforeTheAccessComputesItsAddress) {
  using namespace std::string_literals;
  const std::string text =
      "add.s64 %rd7, %rd4, %rd6;\0"
      "@%p1 add.s64 %rd7, %rd7, 4;\0"
      "ld.global.f32 %f1, [%rd7];\0"
      "st.global.f32 [%rd9], %f1;\0"
      "add.s64 %rd7, %rd7, 8;\0"
      "ld.global.f32 %f2, [%rd9];\0"s;
  const PtxText ptx(text);
  const PtxDefinitions definitions(ptx);
  EXPECT_EQ(definitions.OfAddress(3), 2U);
  EXPECT_EQ(definitions.OfAddress(6), 0U) << "a store writes no register";
  EXPECT_EQ(definitions.OfAddress(1), 0U);
  EXPECT_EQ(definitions.OfAddress(99), 0U);
}

// Rows of line 9, inlined by lines 35 (rows 1 and 4) and 36 (row 2), and who is there by mistake.
class TakeGuessesTest : public ::testing::Test {
 protected:
  TakeGuessesTest() { sequence_.rows = rows_; }
  std::size_t RowOf(std::size_t access) const { return placed_[access].row; }

  const std::vector<LineRow> rows_ = {
      {0, 1, 35, 0, 0}, {0, 1, 9, 1, 7}, {16, 1, 9, 4, 7}, {16, 1, 36, 0, 0}, {32, 1, 9, 1, 7}};
  LineSequence sequence_;
  GlobalAccess load_, other_load_;
  std::vector<PlacedAccess> placed_;
};

TEST_F(TakeGuessesTest, TwoAccessesWithACallEachAreToldApart) {
  placed_ = {{&load_, 2, 1}, {&other_load_, 2, 2}};
  TakeGuesses(sequence_, placed_);
  EXPECT_EQ(RowOf(0), 1U);
  EXPECT_EQ(RowOf(1), 2U);
}

TEST_F(TakeGuessesTest, AGuessThatPutsTwoIntoOneCallIsLeftAlone) {
  placed_ = {{&load_, 1, std::nullopt}, {&other_load_, 2, 4}};
  TakeGuesses(sequence_, placed_);
  EXPECT_EQ(RowOf(1), 2U);
}

TEST_F(TakeGuessesTest, AccessesOfAnotherKindAreNotInTheWay) {
  load_.kind = AccessKind::kStore;
  placed_ = {{&load_, 1, std::nullopt}, {&other_load_, 2, 4}};
  TakeGuesses(sequence_, placed_);
  EXPECT_EQ(RowOf(1), 4U);
}

}  // namespace
}  // namespace coalcheck::cubin
