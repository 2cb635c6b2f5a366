// SPDX-License-Identifier: Apache-2.0
//
// Compiled cubins: kinds, widths, call sites and linked code are what the sources say, on every
// architecture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/cubin/fatbin.h"
#include "libcoalcheck/cubin/inlined_functions.h"
#include "libcoalcheck/cubin/ptx_text.h"
#include "tests/unit/cubin/fixtures.h"

namespace coalcheck::cubin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class CompiledCubin : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!WhyNoFixtures().empty()) GTEST_SKIP() << WhyNoFixtures();
  }

  Cubin Read(const std::string& stem) {
    absl::StatusOr<Cubin> cubin = Cubin::Parse(ReadFixture(stem + "_" + GetParam() + ".cubin"));
    EXPECT_TRUE(cubin.ok()) << cubin.status();
    return *std::move(cubin);
  }
};

// "inlined.cuh:7 inlined.cu:8": base names and lines, innermost first.
std::string ShortChain(const GlobalAccess& access) {
  std::string chain;
  for (const SourceFrame& frame : access.frames) {
    if (!chain.empty()) chain += ' ';
    chain += std::string(frame.file.substr(frame.file.rfind('/') + 1)) + ":" +
             std::to_string(frame.line);
  }
  return chain;
}

std::vector<std::string> Chains(const Function& function, AccessKind kind) {
  std::vector<std::string> chains;
  for (const GlobalAccess& access : function.accesses) {
    if (access.kind == kind) chains.push_back(ShortChain(access));
  }
  return chains;
}

TEST_P(CompiledCubin, KnowsTheLinesThatUseLocalMemory) {
  const Cubin cubin = Read("local");
  const Function* indexed = cubin.FindFunction("indexed");
  const Function* plain = cubin.FindFunction("plain");
  ASSERT_NE(indexed, nullptr);
  ASSERT_NE(plain, nullptr);
  EXPECT_THAT(plain->local, IsEmpty());
  std::set<std::pair<AccessKind, std::uint32_t>> lines;
  for (const UncountedAccess& one : indexed->local) {
    ASSERT_FALSE(one.frames.empty());
    lines.emplace(one.kind, one.frames.back().line);
  }
  EXPECT_THAT(lines, UnorderedElementsAre(std::pair(AccessKind::kStore, 8U),
                                          std::pair(AccessKind::kLoad, 9U)));
}

std::vector<AccessKind> BulkCopiesOf(const Cubin& cubin, std::string_view kernel) {
  const Function* function = cubin.FindFunction(kernel);
  EXPECT_NE(function, nullptr) << kernel;
  std::vector<AccessKind> kinds;
  for (const UncountedAccess& one : function->bulk) {
    EXPECT_FALSE(one.frames.empty()) << kernel;
    kinds.push_back(one.kind);
  }
  return kinds;
}

TEST_P(CompiledCubin, KnowsWhatTheTensorMemoryAcceleratorCopies) {
  if (std::stoi(GetParam()) < 90) GTEST_SKIP() << "older than the accelerator";
  const Cubin cubin = Read("bulk");
  EXPECT_THAT(BulkCopiesOf(cubin, "bulk_load"), ElementsAre(AccessKind::kLoad));
  EXPECT_THAT(BulkCopiesOf(cubin, "bulk_store_alone"),
              ElementsAre(AccessKind::kStore, AccessKind::kReduction));
  EXPECT_THAT(BulkCopiesOf(cubin, "tensors"),
              ElementsAre(AccessKind::kLoad, AccessKind::kStore, AccessKind::kReduction));
  EXPECT_THAT(BulkCopiesOf(cubin, "within_a_cluster"), IsEmpty());
  EXPECT_THAT(cubin.FindFunction("bulk_store_alone")->accesses, IsEmpty());
}

TEST_P(CompiledCubin, KnowsItsArchitecture) {
  EXPECT_EQ(std::to_string(Read("inlined").sm()), GetParam());
}

TEST_P(CompiledCubin, KeepsTheCallSitesOfOneHelperApart) {
  const Cubin cubin = Read("inlined");
  const Function* function = cubin.FindFunction("_Z12TwoCallSitesPfPKf");
  ASSERT_NE(function, nullptr);
  EXPECT_TRUE(function->is_kernel);
  EXPECT_TRUE(function->has_lines);
  EXPECT_THAT(Chains(*function, AccessKind::kLoad),
              UnorderedElementsAre("inlined.cuh:7 inlined.cu:8", "inlined.cuh:7 inlined.cu:10",
                                   "inlined.cuh:7 inlined.cuh:11 inlined.cu:12",
                                   "inlined.cuh:7 inlined.cuh:11 inlined.cu:12"));
  EXPECT_THAT(Chains(*function, AccessKind::kStore), ElementsAre("inlined.cu:13"));
}

TEST_P(CompiledCubin, NamesTheFunctionOfEachFrame) {
  const Cubin cubin = Read("inlined");
  const Function* function = cubin.FindFunction("_Z12TwoCallSitesPfPKf");
  ASSERT_NE(function, nullptr);
  for (const GlobalAccess& access : function->accesses) {
    ASSERT_FALSE(access.frames.empty());
    EXPECT_EQ(access.frames.back().function, "_Z12TwoCallSitesPfPKf");
    if (access.frames.size() > 1) {
      EXPECT_EQ(access.frames[0].function, "_Z10LoadScaledPKfi");
      EXPECT_EQ(access.frames[0].file, FixtureSource("inlined.cuh"));
    }
    if (access.frames.size() > 2) {
      EXPECT_EQ(access.frames[1].function, "_Z9LoadTwicePKfi");
    }
  }
}

TEST_P(CompiledCubin, NamesTheFunctionsThatWereInlinedIntoEachKernel) {
  const std::string cubin = ReadFixture("inlined_" + GetParam() + ".cubin");
  EXPECT_THAT(InlinedFunctions(cubin, "_Z12TwoCallSitesPfPKf"),
              ElementsAre("_Z10LoadScaledPKfi", "_Z9LoadTwicePKfi"));
  EXPECT_THAT(InlinedFunctions(cubin, "_Z10NotInlinedPfPKf"), IsEmpty());
  EXPECT_THAT(InlinedFunctions(cubin, "nobody"), IsEmpty());
  for (std::size_t size = 0; size < cubin.size(); size += 97) {
    static_cast<void>(InlinedFunctions(cubin.substr(0, size), "_Z12TwoCallSitesPfPKf"));
  }
}

// The loads and stores of Copy<T> have the size of T.
TEST_P(CompiledCubin, KnowsTheWidthOfEveryType) {
  const std::map<std::string, std::uint64_t> sizes = {
      {"a", 1},         {"h", 1},       {"s", 2},       {"t", 2},       {"i", 4},
      {"f", 4},         {"x", 8},       {"d", 8},       {"6float2", 8}, {"6float4", 16},
      {"7double2", 16}, {"6__half", 2}, {"7__half2", 4}};
  for (const char* stem : {"widths", "widths_nolines"}) {
    const Cubin cubin = Read(stem);
    for (const auto& [type, size] : sizes) {
      const Function* copy =
          cubin.FindFunction("_Z4CopyI" + type + "EvPT_PKS" + (type.size() > 1 ? "1_" : "0_"));
      ASSERT_NE(copy, nullptr) << type;
      ASSERT_EQ(copy->accesses.size(), 2U) << type;
      EXPECT_EQ(copy->accesses[0].kind, AccessKind::kLoad) << type;
      EXPECT_EQ(copy->accesses[1].kind, AccessKind::kStore) << type;
      for (const GlobalAccess& access : copy->accesses) {
        EXPECT_EQ(access.width, Bytes(size)) << type;
        EXPECT_FALSE(access.generic) << type;
      }
    }
  }
}

TEST_P(CompiledCubin, SeesThirtyTwoByteAccessesWhereThereAreAny) {
  const Cubin cubin = Read("widths");
  const Function* copy = cubin.FindFunction("_Z4CopyI4WideEvPT_PKS1_");
  ASSERT_NE(copy, nullptr);
  std::multiset<std::uint64_t> widths;
  for (const GlobalAccess& access : copy->accesses) widths.insert(access.width.count());
  if (cubin.sm() >= 100) {
    EXPECT_THAT(widths, ElementsAre(32, 32));
  } else {
    EXPECT_THAT(widths, ElementsAre(16, 16, 16, 16));
  }
}

TEST_P(CompiledCubin, FindsTheSameAccessesWithoutLines) {
  const Cubin with = Read("widths");
  const Cubin without = Read("widths_nolines");
  ASSERT_EQ(with.functions().size(), without.functions().size());
  for (const Function& function : with.functions()) {
    const Function* other = without.FindFunction(function.name);
    ASSERT_NE(other, nullptr);
    EXPECT_FALSE(other->has_lines);
    ASSERT_EQ(function.accesses.size(), other->accesses.size());
    for (std::size_t i = 0; i < function.accesses.size(); ++i) {
      EXPECT_EQ(function.accesses[i].pc, other->accesses[i].pc);
      EXPECT_EQ(function.accesses[i].kind, other->accesses[i].kind);
      EXPECT_EQ(function.accesses[i].width, other->accesses[i].width);
      EXPECT_TRUE(other->accesses[i].frames.empty());
      EXPECT_TRUE(other->accesses[i].ptx.empty());
    }
  }
}

// The SASS word and the PTX are two sources for the same facts. Where the PTX has an atomic, the
// SASS may have a reduction (nobody reads the result) or a loop of loads and compare-and-swaps.
TEST_P(CompiledCubin, AgreesWithThePtxOnKindAndWidth) {
  std::size_t compared = 0;
  for (const char* stem : {"inlined", "widths", "templates"}) {
    const Cubin cubin = Read(stem);
    for (const Function& function : cubin.functions()) {
      for (const GlobalAccess& access : function.accesses) {
        const std::optional<PtxAccess> ptx = ReadPtxAccess(access.ptx);
        const std::string where = std::string(function.name) + " pc " +
                                  std::to_string(access.pc.value()) + ": " +
                                  std::string(access.ptx);
        ASSERT_TRUE(ptx.has_value()) << where;
        ++compared;
        const bool from_atomic =
            ptx->kind == AccessKind::kAtomic || ptx->kind == AccessKind::kReduction;
        if (!from_atomic) {
          EXPECT_EQ(access.kind, ptx->kind) << where;
        }
        const bool emulated = from_atomic && ptx->width == Bytes(2);  // in a loop over 4 bytes
        EXPECT_EQ(access.width, emulated ? Bytes(4) : ptx->width) << where;
      }
    }
  }
  std::printf("sm_%s: %zu accesses have the width of their PTX\n", GetParam().c_str(), compared);
  EXPECT_GT(compared, 200U);
}

TEST_P(CompiledCubin, TellsReductionsFromAtomics) {
  const Cubin cubin = Read("widths");
  const Function* function = cubin.FindFunction("_Z9Atomics64PyPdS_");
  ASSERT_NE(function, nullptr);
  std::map<AccessKind, int> kinds;
  for (const GlobalAccess& access : function->accesses) {
    ++kinds[access.kind];
    EXPECT_EQ(access.width, Bytes(8));
  }
  EXPECT_EQ(kinds[AccessKind::kAtomic], 4);     // two adds, a compare-and-swap, an exchange
  EXPECT_EQ(kinds[AccessKind::kReduction], 4);  // two adds, an xor, a maximum
  EXPECT_EQ(kinds[AccessKind::kStore], 4);
}

TEST_P(CompiledCubin, SeesAsynchronousCopies) {
  const Cubin cubin = Read("widths");
  const Function* function = cubin.FindFunction("_Z5AsyncP6float4PKS_");
  ASSERT_NE(function, nullptr);
  std::multiset<std::uint64_t> copied;
  std::multiset<std::uint64_t> loaded;
  for (const GlobalAccess& access : function->accesses) {
    if (access.kind == AccessKind::kAsyncCopy) copied.insert(access.width.count());
    if (access.kind == AccessKind::kLoad) loaded.insert(access.width.count());
  }
  // Before sm_80 the same source loads and stores.
  EXPECT_THAT(cubin.sm() >= 80 ? copied : loaded, ElementsAre(4, 8, 16));
  EXPECT_TRUE((cubin.sm() >= 80 ? loaded : copied).empty());
}

TEST_P(CompiledCubin, TakesLocalAndSharedMemoryForWhatItIs) {
  const Cubin cubin = Read("widths");
  const Function* function = cubin.FindFunction("_Z9NotGlobalPii");
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function->accesses.size(), 2U);
}

TEST_P(CompiledCubin, CallsAnAccessGenericWhenItsAddressDecides) {
  const Cubin cubin = Read("widths");
  const Function* function = cubin.FindFunction("_Z7GenericPfPcP7double2i");
  ASSERT_NE(function, nullptr);
  EXPECT_GT(std::count_if(function->accesses.begin(), function->accesses.end(),
                          [](const GlobalAccess& access) { return access.generic; }),
            8);
}

TEST_P(CompiledCubin, FollowsLinkedCodeIntoEachFunction) {
  const Cubin cubin = Read("linked");
  const Function* kernel = cubin.FindFunction("_Z11CallsAcrossPfPKf");
  const Function* callee = cubin.FindFunction("_Z6GatherPKfi");
  const Function* other = cubin.FindFunction("_Z13AnotherKernelPf");
  ASSERT_NE(kernel, nullptr);
  ASSERT_NE(callee, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_TRUE(kernel->is_kernel);
  EXPECT_FALSE(callee->is_kernel);
  EXPECT_THAT(Chains(*kernel, AccessKind::kLoad), ElementsAre("inlined.cuh:7 linked_a.cu:11"));
  EXPECT_THAT(Chains(*kernel, AccessKind::kStore), ElementsAre("linked_a.cu:11"));
  EXPECT_THAT(Chains(*callee, AccessKind::kLoad),
              UnorderedElementsAre("inlined.cuh:7 linked_b.cu:8", "linked_b.cu:9"));
  EXPECT_THAT(Chains(*other, AccessKind::kStore), ElementsAre("linked_b.cu:14"));
  for (const GlobalAccess& access : callee->accesses) {
    EXPECT_THAT(std::string(access.ptx), HasSubstr("ld."));
  }
}

std::vector<std::string> ArchitecturesOrOne() {
  const std::vector<std::string> found = FixtureArchitectures();
  return found.empty() ? std::vector<std::string>{"none"} : found;
}

INSTANTIATE_TEST_SUITE_P(Sm, CompiledCubin, testing::ValuesIn(ArchitecturesOrOne()),
                         [](const auto& fixture) { return fixture.param; });

struct Unpacked {
  std::vector<std::string> cubins;
  std::vector<std::string> skipped;
};

Unpacked Unpack(const std::string& name) {
  Unpacked unpacked;
  const std::string bytes = ReadFixture(name);
  const absl::Status status = VisitProgramImages(bytes, [&](ProgramImage image) {
    if (!image.cubin.empty()) unpacked.cubins.push_back(std::move(image.cubin));
    if (!image.skipped_reason.empty()) unpacked.skipped.push_back(image.skipped_reason);
  });
  EXPECT_TRUE(status.ok()) << name << ": " << status;
  return unpacked;
}

TEST(CompiledProgram, GivesTheSameCubinsHoweverTheyArePacked) {
  if (!WhyNoFixtures().empty()) GTEST_SKIP() << WhyNoFixtures();
  const Unpacked plain = Unpack("plain.fatbin");
  ASSERT_EQ(plain.cubins.size(), 2U);
  for (const char* name :
       {"all.fatbin", "size.fatbin", "speed.fatbin", "balance.fatbin", "none.fatbin"}) {
    if (!ReadWhole(FixturePath(name))) continue;  // this nvcc has no -compress-mode
    const Unpacked packed = Unpack(name);
    ASSERT_EQ(packed.cubins.size(), 2U) << name;
    for (std::size_t i = 0; i < 2; ++i) {
      const absl::StatusOr<Cubin> cubin = Cubin::Parse(packed.cubins[i]);
      ASSERT_TRUE(cubin.ok()) << name;
      EXPECT_EQ(cubin->sm(), i == 0 ? 80U : 90U) << name;
      EXPECT_EQ(packed.cubins[i].size(), plain.cubins[i].size()) << name;
    }
    ASSERT_EQ(packed.skipped.size(), 1U) << name;
    EXPECT_THAT(packed.skipped[0], HasSubstr("PTX only"));
  }
}

TEST(CompiledProgram, IsTakenApartAsObjectAndAsLibrary) {
  if (!WhyNoFixtures().empty()) GTEST_SKIP() << WhyNoFixtures();
  for (const char* name : {"object.o", "program.so"}) {
    bool found = false;
    for (const std::string& bytes : Unpack(name).cubins) {
      const absl::StatusOr<Cubin> cubin = Cubin::Parse(bytes);
      ASSERT_TRUE(cubin.ok()) << name;
      found = found || cubin->FindFunction("_Z12TwoCallSitesPfPKf") != nullptr;
    }
    EXPECT_TRUE(found) << name;
  }
}

TEST(CompiledProgram, OfPtxOnlyIsNamedAsSuch) {
  if (!WhyNoFixtures().empty()) GTEST_SKIP() << WhyNoFixtures();
  const Unpacked unpacked = Unpack("ptx_only.fatbin");
  EXPECT_TRUE(unpacked.cubins.empty());
  ASSERT_EQ(unpacked.skipped.size(), 1U);
  EXPECT_THAT(unpacked.skipped[0], HasSubstr("PTX only"));
  EXPECT_THAT(unpacked.skipped[0], HasSubstr("compute_90"));
}

}  // namespace
}  // namespace coalcheck::cubin
