// SPDX-License-Identifier: Apache-2.0
//
// The library shows its host the entry points and nothing else, and needs nothing but libc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agent/library/elf_facts.h"

namespace coalcheck::testing {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

ElfFacts Facts() { return ReadElfFacts(COALCHECK_LIBRARY); }

TEST(Library, ItExportsTheEntryPointsOnly) {
  EXPECT_THAT(Facts().exports,
              UnorderedElementsAre("InitializeInjection", "InitializeInjectionNvtx2",
                                   "InitializeInjectionNvtxExtension", "coalcheck_agent_flush",
                                   "coalcheck_agent_pop", "coalcheck_agent_push",
                                   "coalcheck_agent_recording", "coalcheck_agent_source",
                                   "coalcheck_agent_source_of", "coalcheck_agent_start",
                                   "coalcheck_agent_stop"));
}

TEST(Library, ItNeedsNothingButTheCLibrary) {
  EXPECT_THAT(Facts().needed, Contains("libc.so.6"));
  EXPECT_THAT(Facts().needed, Each(AnyOf("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2",
                                         StartsWith("ld-linux"))));
}

TEST(Library, ItIsLookedUpNowhereElse) { EXPECT_THAT(Facts().search_paths, IsEmpty()); }

TEST(Library, TheReaderOfItsTablesSeesTheExportsOfAnotherLibrary) {
  EXPECT_THAT(ReadElfFacts(COALCHECK_FAKE_DRIVER).exports, Contains("cuInit"));
}

}  // namespace
}  // namespace coalcheck::testing
