// SPDX-License-Identifier: Apache-2.0
//
// Which kernels a move of an array's data concerns.
#include "libcoalcheck/findings/sources/array_users.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

namespace coalcheck::findings {
namespace {

using moves::MoveKind;

// Kernels whose first parameter is a pointer.
class ArrayUsersTest : public ::testing::Test {
 protected:
  ArrayUsersTest() {
    function_.parameters.resize(1);
    function_.parameters[0].bytes = 8;
  }

  void Note(const std::string& kernel, std::uint64_t place) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &place, 8);
    address::LaunchValues launch;
    launch.arguments = bytes;
    users_.Note(kernel, function_, launch, 0);
  }

  static KernelMove MoveOf(MoveKind kind, double after) {
    KernelMove one;
    one.move.kind = kind;
    one.move.parameters = {0};
    one.move.before = 100;
    one.move.after = after;
    one.helps = after < 100;
    return one;
  }

  // Of the moves of kernel "k", in the order in which they are said then.
  KernelMoves Finished(std::vector<KernelMove> tried) const {
    std::vector<KernelMoves> all(1);
    all[0].kernel = "k";
    all[0].moves = std::move(tried);
    users_.Finish(all);
    return all[0];
  }

  ptx::Function function_;
  ArrayUsers users_;
};

TEST_F(ArrayUsersTest, AnotherKernelWithTheSamePointerHasToFollowAMoveOfItsData) {
  Note("k", 0x700000);
  Note("reads_it", 0x700000);
  Note("reads_another", 0x800000);
  const KernelMoves kernel = Finished({MoveOf(MoveKind::kInterleave, 10)});
  EXPECT_EQ(kernel.moves[0].other_kernels, std::vector<std::string>{"reads_it"});
}

TEST_F(ArrayUsersTest, NobodyHasToFollowWhereDataStayOrThePointerSaysWhereTheyAre) {
  Note("k", 0x700000);
  Note("reads_it", 0x700000);
  for (const MoveKind kind : {MoveKind::kSharedTile, MoveKind::kVector, MoveKind::kAlign}) {
    EXPECT_TRUE(Finished({MoveOf(kind, 10)}).moves[0].other_kernels.empty());
  }
}

TEST_F(ArrayUsersTest, OfMovesThatBringAsMuchTheOneThatConcernsNobodyElseIsFirst) {
  Note("k", 0x700000);
  Note("reads_it", 0x700000);
  const KernelMoves alike =
      Finished({MoveOf(MoveKind::kInterleave, 10), MoveOf(MoveKind::kSharedTile, 11)});
  EXPECT_EQ(alike.moves[0].move.kind, MoveKind::kSharedTile);
  const KernelMoves less =
      Finished({MoveOf(MoveKind::kInterleave, 10), MoveOf(MoveKind::kSharedTile, 40)});
  EXPECT_EQ(less.moves[0].move.kind, MoveKind::kInterleave);
}

TEST_F(ArrayUsersTest, WithoutArgumentsNothingIsSaidOfOthers) {
  users_.Note("k", function_, {}, 0);
  users_.Note("reads_it", function_, {}, 0);
  const KernelMoves kernel = Finished({MoveOf(MoveKind::kInterleave, 10)});
  EXPECT_TRUE(kernel.moves[0].other_kernels.empty());
}

}  // namespace
}  // namespace coalcheck::findings
