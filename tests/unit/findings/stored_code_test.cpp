// SPDX-License-Identifier: Apache-2.0
//
// A recorded cubin is believed only when its content is what its name says.
#include "libcoalcheck/findings/sources/stored_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace coalcheck::findings {
namespace {

class MapStore : public CubinStore {
 public:
  absl::StatusOr<std::string> Load(CubinId id) override {
    ++loads;
    if (!failure.ok()) return failure;
    const auto found = content.find(id);
    if (found == content.end()) return absl::NotFoundError("none");
    return found->second;
  }

  std::map<CubinId, std::string> content;
  absl::Status failure;
  int loads = 0;
};

TEST(StoredCode, AMissingCubinIsMissing) {
  MapStore store;
  StoredCode code({&store});
  EXPECT_EQ(code.Find(CubinId(1), "k").cause, UnattributedCause::kCubinMissing);
}

TEST(StoredCode, ContentThatDoesNotHashToItsNameIsRefused) {
  MapStore store;
  store.content[CubinId(1)] = "something else";
  StoredCode code({&store});
  const FunctionLookup lookup = code.Find(CubinId(1), "k");
  EXPECT_EQ(lookup.function, nullptr);
  EXPECT_EQ(lookup.cause, UnattributedCause::kCubinAltered);
  EXPECT_THAT(lookup.detail, testing::HasSubstr(ToHex(HashCubin("something else"))));
}

TEST(StoredCode, IntactContentThatIsNoCubinIsUnreadable) {
  MapStore store;
  const CubinId id = HashCubin("no cubin");
  store.content[id] = "no cubin";
  StoredCode code({&store});
  const FunctionLookup lookup = code.Find(id, "k");
  EXPECT_EQ(lookup.cause, UnattributedCause::kCubinUnreadable);
  EXPECT_FALSE(lookup.detail.empty());
}

TEST(StoredCode, AFileThatCannotBeReadIsUnreadable) {
  MapStore store;
  store.failure = absl::PermissionDeniedError("permission denied");
  StoredCode code({&store});
  const FunctionLookup lookup = code.Find(CubinId(1), "k");
  EXPECT_EQ(lookup.cause, UnattributedCause::kCubinUnreadable);
  EXPECT_EQ(lookup.detail, "permission denied");
}

TEST(StoredCode, AnotherRanksCopyIsUsedWhenOneIsAltered) {
  MapStore altered;
  MapStore intact;
  const CubinId id = HashCubin("no cubin");
  altered.content[id] = "altered";
  intact.content[id] = "no cubin";
  StoredCode code({&altered, &intact});
  EXPECT_EQ(code.Find(id, "k").cause, UnattributedCause::kCubinUnreadable) << "the intact one";
}

TEST(StoredCode, OneCubinIsLoadedOnceForAllItsFunctions) {
  MapStore store;
  StoredCode code({&store});
  code.Find(CubinId(1), "a");
  code.Find(CubinId(1), "b");
  EXPECT_EQ(store.loads, 1);
}

}  // namespace
}  // namespace coalcheck::findings
