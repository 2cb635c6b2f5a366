// SPDX-License-Identifier: Apache-2.0
//
// A cubin's identity covers its whole content and survives the way through text.
#include "libcoalcheck/base/ids.h"

#include <gtest/gtest.h>

namespace coalcheck {
namespace {

TEST(CubinId, DiffersWhenOneByteInTheMiddleDiffers) {
  std::string a(16384, 'x');
  std::string b = a;
  b[8000] = 'y';
  EXPECT_NE(HashCubin(a), HashCubin(b));
}

TEST(CubinId, IsReadBackFromItsText) {
  const CubinId id(0x00ff00000000abcd);
  EXPECT_EQ(ToHex(id), "00ff00000000abcd");
  EXPECT_EQ(CubinIdFromHex(ToHex(id)), id);
}

TEST(CubinId, RefusesTextThatIsNotSixteenLowerCaseDigits) {
  EXPECT_FALSE(CubinIdFromHex(""));
  EXPECT_FALSE(CubinIdFromHex("00ff00000000abc"));
  EXPECT_FALSE(CubinIdFromHex("00FF00000000ABCD"));
  EXPECT_FALSE(CubinIdFromHex("../../etc/passwd"));
}

}  // namespace
}  // namespace coalcheck
