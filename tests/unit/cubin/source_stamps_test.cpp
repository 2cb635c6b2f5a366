// SPDX-License-Identifier: Apache-2.0
//
// What code says of the files it was made of, from a GPU's recording and from text.
#include "libcoalcheck/cubin/source_stamps.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/recorded_cubin.h"

namespace coalcheck::cubin {
namespace {

TEST(SourceStamps, AreWhatTheLineTableSays) {
  const SourceStamps stamps = SourceStampsOf(support::RecordedCubin("transpose_naive"));
  const SourceStamps expected = {
      {"/tmp/coalcheck/samples/transpose_naive/transpose_naive.cu", {1795423389, 2262}}};
  EXPECT_EQ(stamps, expected);
}

TEST(SourceStamps, OfPtxAreWhatItsDirectivesSay) {
  const SourceStamps expected = {{"/src/a.cu", {1795423389, 2262}}};
  EXPECT_EQ(SourceStampsOf(".version 9.0\n\t.file\t1 \"/src/a.cu\", 1795423389, 2262\n"
                           "\t.file\t2 \"/src/b.cu\"\n.file 3\n.file \"\n"),
            expected);
}

TEST(SourceStamps, OfAFileThatIsNamedTwiceAreNotKnownWhereTheyDiffer) {
  EXPECT_EQ(SourceStampsOf(".file 1 \"/a.cu\", 5, 6\n.file 2 \"/a.cu\", 5, 6\n").size(), 1U);
  EXPECT_TRUE(SourceStampsOf(".file 1 \"/a.cu\", 5, 6\n.file 2 \"/a.cu\", 7, 6\n").empty());
}

}  // namespace
}  // namespace coalcheck::cubin
