// SPDX-License-Identifier: Apache-2.0
//
// The control bits against what compiled code cannot do without: nobody reads what a load brings
// before somebody has waited for the scoreboard that the load sets, and the search finds that load.
#include "libcoalcheck/machine_code/wait_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/machine_code/code_section.h"
#include "libcoalcheck/machine_code/operands.h"
#include "tests/unit/machine_code/waiting_fixtures.h"

namespace coalcheck::machine_code {
namespace {

using cubin::AccessKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// One section of code with its graph.
struct Code {
  std::uint32_t sm = 0;
  CodeSection section;
  ControlFlow flow;

  std::optional<cubin::SassAccess> Access(std::uint32_t n) const {
    return cubin::DecodeSass(section.words[n].low, section.words[n].high, sm);
  }
  ControlBits Bits(std::uint32_t n) const { return ReadControlBits(section.words[n]); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(section.words.size()); }
  // The only access of that kind and width.
  std::uint32_t Only(AccessKind kind, std::uint64_t width) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t n = 0; n < size(); ++n) {
      const auto access = Access(n);
      if (access && access->kind == kind && access->width == Bytes(width)) found.push_back(n);
    }
    EXPECT_EQ(found.size(), 1U) << "sm_" << sm;
    return found.empty() ? 0 : found[0];
  }
  std::vector<std::uint32_t> All(AccessKind kind) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t n = 0; n < size(); ++n) {
      if (const auto access = Access(n); access && access->kind == kind) found.push_back(n);
    }
    return found;
  }
  WaitSearch Search() const { return {section.words, section.instructions, flow}; }
};

Code Open(const CodeImage& image, std::size_t section) {
  Code code;
  code.sm = image.sm();
  code.section = image.Decode(section);
  std::vector<std::int64_t> entries{0};
  for (const Instruction& one : code.section.instructions) {
    if (one.flow == Flow::kCall) entries.push_back(one.target);
  }
  code.flow = BuildControlFlow(code.section.instructions, code.section.jump_tables, entries);
  return code;
}

Code OpenKernel(const std::string& bytes, const char* kernel) {
  const auto elf = cubin::ElfFile::Parse(bytes);
  EXPECT_TRUE(elf.ok());
  const CodeImage image(elf.value());
  const auto section = image.FindFunction(kernel);
  EXPECT_TRUE(section.has_value()) << kernel;
  return Open(image, section.value_or(0));
}

// Whether an operand begins with the first register of `brought`. Only that: how many registers an
// operand has is in doubt now and then, and counts as too many.
bool BeginsWith(const LocationRanges& reads, const LocationRanges& brought) {
  for (const LocationRange& one : reads) {
    for (const LocationRange& other : brought) {
      if (one.first == other.first) return true;
    }
  }
  return false;
}

// The numbers of instructions in `load`'s block behind it, up to the first that reads its result;
// empty when the block has none.
std::vector<std::uint32_t> UpToReader(const Code& code, std::uint32_t load) {
  const LocationRanges brought = ReadOperands(code.section.words[load], code.sm).writes;
  const Block& block = code.flow.blocks[code.flow.block_of[load]];
  std::vector<std::uint32_t> between;
  constexpr std::uint32_t kAdd64 = 0x035;  // sm_120's, of whose third operand there is doubt
  for (std::uint32_t n = load + 1; n < block.end; ++n) {
    between.push_back(n);
    if (code.section.words[n].opcode() == kAdd64) continue;
    if (BeginsWith(ReadOperands(code.section.words[n], code.sm).reads, brought)) return between;
  }
  return {};
}

// Every load in `code`: sets a scoreboard, and its first reader does not come before a wait for it
// that leads back to it. Returns how many were held against a reader.
int ExpectLoadsAreWaitedFor(const Code& code, const std::string& name) {
  int readers = 0;
  WaitSearch search = code.Search();
  for (const std::uint32_t load : code.All(AccessKind::kLoad)) {
    const ControlBits bits = code.Bits(load);
    if (!bits.until_written) {
      ADD_FAILURE() << name << ": the load at " << load * 16 << " sets no scoreboard";
      continue;
    }
    const std::vector<std::uint32_t> between = UpToReader(code, load);
    if (between.empty()) continue;
    ++readers;
    const auto waiting = std::ranges::find_if(
        between, [&](std::uint32_t n) { return code.Bits(n).WaitsFor(*bits.until_written); });
    if (waiting == between.end()) {
      ADD_FAILURE() << name << ": the result of the load at " << load * 16 << " is read at "
                    << between.back() * 16 << " and nobody has waited";
      continue;
    }
    EXPECT_THAT(search.SettersFor(*waiting).instructions, Contains(load))
        << name << ": at " << *waiting * 16;
  }
  return readers;
}

class Stalls : public ::testing::TestWithParam<std::string> {
 protected:
  Code Kernel(const char* kernel) {
    bytes_ = ReadFixture("stalls_" + GetParam() + ".cubin");
    return OpenKernel(bytes_, kernel);
  }
  std::string bytes_;
};

TEST_P(Stalls, NobodyReadsWhatALoadBringsBeforeItsScoreboardWasWaitedFor) {
  int readers = 0;
  for (const char* fixture : {"stalls", "waiting", "working", "libraries", "linked"}) {
    const std::string name = std::string(fixture) + "_" + GetParam() + ".cubin";
    const std::string bytes = ReadFixture(name);
    const auto elf = cubin::ElfFile::Parse(bytes);
    ASSERT_TRUE(elf.ok());
    const CodeImage image(elf.value());
    for (std::size_t i = 0; i < elf.value().sections().size(); ++i) {
      if (!elf.value().sections()[i].name.starts_with(cubin::kTextPrefix)) continue;
      readers += ExpectLoadsAreWaitedFor(Open(image, i), name);
    }
  }
  EXPECT_GT(readers, 40);
}

// The instructions that wait for `load`, and whom else each of them waits for.
std::vector<std::uint32_t> WaitersFor(const Code& code, std::uint32_t load) {
  std::vector<std::uint32_t> waiters;
  WaitSearch search = code.Search();
  for (std::uint32_t n = 0; n < code.size(); ++n) {
    const auto setters = search.SettersFor(n).instructions;
    if (std::ranges::binary_search(setters, load)) waiters.push_back(n);
  }
  return waiters;
}

TEST_P(Stalls, TheOneUseOfALoadWaitsForItAlone) {
  const Code code = Kernel("one_load");
  const std::uint32_t load = code.Only(AccessKind::kLoad, 4);
  const std::vector<std::uint32_t> waiters = WaitersFor(code, load);
  ASSERT_FALSE(waiters.empty());
  for (const std::uint32_t waiter : waiters) {
    EXPECT_THAT(code.Search().SettersFor(waiter).instructions, Contains(load));
    EXPECT_GT(waiter, load);
  }
}

TEST_P(Stalls, TwoLoadsHaveWaitersOfTheirOwn) {
  const Code code = Kernel("two_loads");
  const std::uint32_t narrow = code.Only(AccessKind::kLoad, 4);
  const std::uint32_t wide = code.Only(AccessKind::kLoad, 8);
  const auto first = WaitersFor(code, narrow);
  const auto second = WaitersFor(code, wide);
  ASSERT_FALSE(first.empty());
  ASSERT_FALSE(second.empty());
  EXPECT_NE(first.front(), second.front());
  WaitSearch search = code.Search();
  EXPECT_THAT(search.SettersFor(first.front()).instructions, Not(Contains(wide)));
  EXPECT_THAT(search.SettersFor(second.front()).instructions, Not(Contains(narrow)));
}

TEST_P(Stalls, ALoadOfTheRoundBeforeIsFoundAroundTheLoop) {
  const Code code = Kernel("ahead");
  const std::vector<std::uint32_t> loads = code.All(AccessKind::kLoad);
  ASSERT_EQ(loads.size(), 2U);  // before the loop and in it
  bool around = false;
  WaitSearch search = code.Search();
  for (std::uint32_t n = 0; n <= loads[1]; ++n) {
    const auto setters = search.SettersFor(n).instructions;
    around = around || std::ranges::binary_search(setters, loads[1]);
  }
  // Or it is used in its own round, behind it.
  EXPECT_TRUE(around || !WaitersFor(code, loads[1]).empty());
}

TEST_P(Stalls, AGatherWaitsForItsIndex) {
  const Code code = Kernel("gather");
  const std::uint32_t index = code.Only(AccessKind::kLoad, 4);
  const std::uint32_t wide = code.Only(AccessKind::kLoad, 8);
  const auto for_index = WaitersFor(code, index);
  ASSERT_FALSE(for_index.empty());
  EXPECT_LE(for_index.front(), wide);
  const auto for_wide = WaitersFor(code, wide);
  ASSERT_FALSE(for_wide.empty());
  EXPECT_GT(for_wide.front(), wide);
}

TEST_P(Stalls, EachOfTwoWaysIsFollowedBack) {
  const Code code = Kernel("either");
  EXPECT_FALSE(WaitersFor(code, code.Only(AccessKind::kLoad, 4)).empty());
  EXPECT_FALSE(WaitersFor(code, code.Only(AccessKind::kLoad, 8)).empty());
}

TEST_P(Stalls, StoresBeforeTheEndAreFound) {
  const Code code = Kernel("stores");
  const std::vector<std::uint32_t> stores = code.All(AccessKind::kStore);
  ASSERT_EQ(stores.size(), 2U);
  std::uint32_t exit = 0;
  while (code.section.instructions[exit].flow != Flow::kExit || exit < stores[1]) ++exit;
  const auto is_store = [&](std::uint32_t n) {
    return std::ranges::find(stores, n) != stores.end();
  };
  const auto never = [](std::uint32_t) { return false; };
  EXPECT_THAT(code.Search().PassedBefore(exit, is_store, never).instructions,
              ElementsAre(stores[0], stores[1]));
}

TEST_P(Stalls, AGroupOfAsynchronousCopiesIsWaitedForByName) {
  if (GetParam() == "75") GTEST_SKIP() << "no cp.async before sm_80";
  const Code code = Kernel("async_copy");
  const std::uint32_t copy = code.Only(AccessKind::kAsyncCopy, 16);
  constexpr std::uint32_t kLdgDepbar = 0x1af;
  constexpr std::uint32_t kDepbar = 0x11a;
  std::uint32_t group = 0;
  std::uint32_t wait = 0;
  for (std::uint32_t n = 0; n < code.size(); ++n) {
    if (code.section.words[n].opcode() == kLdgDepbar) group = n;
    if (code.section.words[n].opcode() == kDepbar) wait = n;
  }
  EXPECT_GT(group, copy);
  EXPECT_GT(wait, group);
  EXPECT_TRUE(code.Bits(group).until_written.has_value());
  EXPECT_THAT(code.Search().SettersFor(wait).instructions, Contains(group));
}

TEST_P(Stalls, WithoutStepsLeftTheSearchSaysThatItIsNotComplete) {
  const Code code = Kernel("two_loads");
  WaitSearch search(code.section.words, code.section.instructions, code.flow, 3);
  bool incomplete = false;
  for (std::uint32_t n = 0; n < code.size(); ++n) {
    incomplete = incomplete || !search.SettersFor(n).complete;
  }
  EXPECT_TRUE(incomplete);
}

TEST_P(Stalls, OutsideTheCodeNothingIsFound) {
  const Code code = Kernel("two_loads");
  EXPECT_THAT(code.Search().SettersFor(code.size()).instructions, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(OnEachArchitecture, Stalls, ::testing::ValuesIn(Architectures()),
                         [](const auto& instance) { return "sm_" + instance.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Stalls);

}  // namespace
}  // namespace coalcheck::machine_code
