// SPDX-License-Identifier: Apache-2.0
//
// What the agent is told of a module that brings other code for a kernel that it knows.
#include "injection/agent/code/code_index.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/recorded_cubin.h"

namespace coalcheck::agent {
namespace {

// As for an architecture that comes after all that are known: whoever waits in it, nobody sees.
std::string Unreadable(std::string cubin) {
  constexpr std::size_t kAbiVersion = 8;
  const std::size_t flags = static_cast<unsigned char>(cubin[kAbiVersion]) >= 8 ? 49 : 48;
  cubin[flags] = static_cast<char>(121);
  return cubin;
}

TEST(CodeIndex, WarnsOnceOfAHazardInOtherCodeOfAKernelThatIsKnown) {
  CodeIndex index;
  const std::string cubin = support::RecordedCubin("coalesced_copy");
  EXPECT_TRUE(index.ModuleLoaded(CubinId(1), cubin, "a").warnings.empty());
  EXPECT_TRUE(index.ModuleLoaded(CubinId(2), cubin, "b").warnings.empty());
  const KernelCode::Module other = index.ModuleLoaded(CubinId(3), Unreadable(cubin), "c");
  ASSERT_EQ(other.warnings.size(), 1U);
  EXPECT_EQ(other.warnings[0].kernel, "_Z14coalesced_copyPKfPfj");
  EXPECT_EQ(other.warnings[0].hazard, KernelCode::Hazard::kMayWait);
  EXPECT_TRUE(index.ModuleLoaded(CubinId(3), Unreadable(cubin), "c").warnings.empty());
  EXPECT_TRUE(index.Knows("_Z14coalesced_copyPKfPfj"));
}

TEST(CodeIndex, WarnsOfNoKernelThatIsNew) {
  CodeIndex index;
  EXPECT_TRUE(
      index.ModuleLoaded(CubinId(1), Unreadable(support::RecordedCubin("coalesced_copy")), "a")
          .warnings.empty());
}

}  // namespace
}  // namespace coalcheck::agent
