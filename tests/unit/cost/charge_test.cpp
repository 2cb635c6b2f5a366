// SPDX-License-Identifier: Apache-2.0
//
// Who is charged, on kernels in which that is known, compiled for every architecture; and that
// nothing is lost or charged twice, whatever the samples and the bytes.
#include "libcoalcheck/cost/charge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/machine_code/code_section.h"
#include "tests/support/files.h"

namespace coalcheck::cost {
namespace {

Charged Charge(std::string_view cubin, std::string_view name, const StallsByPc& stalls,
               const Weight& weight) {
  return SampledCubin(cubin).Charge(name, stalls, weight);
}

using cubin::AccessKind;
using machine_code::Flow;

std::vector<std::string> Cubins() {
  std::vector<std::string> paths;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(COALCHECK_STALLS_DIR, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("stalls_") && name.ends_with(".cubin")) paths.push_back(entry.path());
  }
  return paths;
}

Sectors NothingCounted(PcOffset) { return Sectors(0); }

PcOffset At(std::uint32_t number) { return PcOffset(number * cubin::kSassWordSize); }

StallTimes One(StallKind kind, std::uint64_t cycles) {
  StallTimes times;
  times[kind] = {Cycles(cycles), Cycles(cycles / 2)};
  return times;
}

class Charging : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Cubins().empty()) GTEST_SKIP() << "the fixtures were not compiled: no nvcc";
  }
  // Opens a kernel of the cubin.
  void Open(const std::string& path, const char* kernel) {
    bytes_ = support::FileText(path);
    kernel_ = kernel;
    const auto elf = cubin::ElfFile::Parse(bytes_);
    ASSERT_TRUE(elf.ok());
    const machine_code::CodeImage image(elf.value());
    sm_ = image.sm();
    const auto section = image.FindFunction(kernel);
    ASSERT_TRUE(section.has_value());
    code_ = image.Decode(*section);
  }
  std::vector<std::uint32_t> All(AccessKind kind, std::uint64_t width) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t n = 0; n < code_.words.size(); ++n) {
      const auto access = cubin::DecodeSass(code_.words[n].low, code_.words[n].high, sm_);
      if (access && access->kind == kind && access->width == Bytes(width)) found.push_back(n);
    }
    return found;
  }
  Charged ChargeAt(std::uint32_t number, StallKind kind, const Weight& weight = NothingCounted) {
    return Charge(bytes_, kernel_, {{At(number), One(kind, 100)}}, weight);
  }
  // Every instruction at which a wait for memory is charged to `load`, first ones first.
  std::vector<std::uint32_t> Waiters(std::uint32_t load) {
    std::vector<std::uint32_t> waiters;
    for (std::uint32_t n = 0; n < code_.words.size(); ++n) {
      if (ChargeAt(n, StallKind::kLongScoreboard).accesses.contains(At(load))) waiters.push_back(n);
    }
    return waiters;
  }

  std::string bytes_;
  std::string kernel_;
  std::uint32_t sm_ = 0;
  machine_code::CodeSection code_;
};

TEST_F(Charging, AScoreboardWaitGoesToTheOneLoad) {
  for (const std::string& path : Cubins()) {
    Open(path, "one_load");
    const std::uint32_t load = All(AccessKind::kLoad, 4).at(0);
    const auto waiters = Waiters(load);
    ASSERT_FALSE(waiters.empty()) << path;
    for (const std::uint32_t waiter : waiters) {
      const Charged charged = ChargeAt(waiter, StallKind::kLongScoreboard);
      EXPECT_EQ(charged.accesses.at(At(load))[StallKind::kLongScoreboard].all, Cycles(100)) << path;
      EXPECT_EQ(charged.accesses.at(At(load))[StallKind::kLongScoreboard].exposed, Cycles(50));
    }
  }
}

TEST_F(Charging, OfTwoLoadsEachWaitGoesToItsOwn) {
  for (const std::string& path : Cubins()) {
    Open(path, "two_loads");
    const std::uint32_t narrow = All(AccessKind::kLoad, 4).at(0);
    const std::uint32_t wide = All(AccessKind::kLoad, 8).at(0);
    const std::uint32_t first = Waiters(narrow).at(0);
    const std::uint32_t second = Waiters(wide).at(0);
    const Charged at_first = ChargeAt(first, StallKind::kLongScoreboard);
    const Charged at_second = ChargeAt(second, StallKind::kLongScoreboard);
    EXPECT_FALSE(at_first.accesses.contains(At(wide))) << path;
    EXPECT_FALSE(at_second.accesses.contains(At(narrow))) << path;
  }
}

TEST_F(Charging, ThrottlesStayWhereTheyStand) {
  for (const std::string& path : Cubins()) {
    Open(path, "stores");
    const std::uint32_t store = All(AccessKind::kStore, 4).at(0);
    const Charged charged = ChargeAt(store, StallKind::kThrottle);
    EXPECT_EQ(charged.accesses.at(At(store))[StallKind::kThrottle].all, Cycles(100)) << path;
    EXPECT_EQ(ChargeAt(0, StallKind::kThrottle).others.all, Cycles(100)) << path;
  }
}

TEST_F(Charging, AWarpThatIsDoneWaitsForItsStoresTheLargerOnesMost) {
  for (const std::string& path : Cubins()) {
    Open(path, "stores");
    const std::uint32_t wide = All(AccessKind::kStore, 4).at(0);
    const std::uint32_t narrow = All(AccessKind::kStore, 2).at(0);
    std::uint32_t exit = std::max(wide, narrow);
    while (code_.instructions.at(exit).flow != Flow::kExit) ++exit;
    const Charged charged = ChargeAt(exit, StallKind::kDrain,
                                     [&](PcOffset pc) { return Sectors(pc == At(wide) ? 30 : 2); });
    EXPECT_NEAR(static_cast<double>(charged.accesses.at(At(wide))[StallKind::kDrain].all.count()),
                93.75, 1)
        << path;
    EXPECT_EQ(charged.Sum().all, Cycles(100));
    const Charged behind = ChargeAt(exit + 1, StallKind::kDrain);  // where an H200 samples it
    EXPECT_EQ(behind.accesses.at(At(wide))[StallKind::kDrain].all, Cycles(50)) << path;
    const Charged equal = ChargeAt(exit, StallKind::kDrain);
    EXPECT_EQ(equal.accesses.at(At(narrow))[StallKind::kDrain].all, Cycles(50)) << path;
  }
}

TEST_F(Charging, WhatMayBeForACalledFunctionsStoreIsNobodys) {
  for (const std::string& path : Cubins()) {
    Open(path, "call_between");
    std::uint32_t exit = All(AccessKind::kStore, 4).at(0);
    while (code_.instructions.at(exit).flow != Flow::kExit) ++exit;
    EXPECT_EQ(ChargeAt(exit, StallKind::kDrain).unattributed.all, Cycles(100)) << path;
  }
}

constexpr std::uint32_t kDepbar = 0x11a;

TEST_F(Charging, AWaitForAGroupOfCopiesGoesToTheCopy) {
  for (const std::string& path : Cubins()) {
    Open(path, "async_copy");
    if (sm_ < 80) continue;
    const std::uint32_t copy = All(AccessKind::kAsyncCopy, 16).at(0);
    const std::vector<std::uint32_t> waiters = Waiters(copy);
    ASSERT_FALSE(waiters.empty()) << path;
    // The DEPBAR itself, and the instruction behind it, where an H200 samples the wait.
    const auto by_name = std::ranges::find_if(
        waiters, [this](std::uint32_t n) { return code_.words[n].opcode() == kDepbar; });
    ASSERT_NE(by_name, waiters.end()) << path;
    EXPECT_THAT(waiters, testing::Contains(*by_name + 1)) << path;
  }
}

TEST_F(Charging, WorkAndOtherStallsAreNobodysAccess) {
  for (const std::string& path : Cubins()) {
    Open(path, "gather");
    for (std::uint32_t n = 0; n < code_.words.size(); ++n) {
      const Charged charged = ChargeAt(n, StallKind::kOther);
      EXPECT_TRUE(charged.accesses.empty());
      EXPECT_EQ(charged.others.all, Cycles(100));
    }
  }
}

TEST_F(Charging, SamplesOutsideTheCodeAreNamedAsNobodys) {
  Open(Cubins()[0], "gather");
  const auto length = static_cast<std::uint32_t>(code_.words.size());
  EXPECT_EQ(ChargeAt(length, StallKind::kThrottle).unattributed.all, Cycles(100));
  const StallsByPc odd = {{PcOffset(8), One(StallKind::kThrottle, 100)}};
  EXPECT_EQ(Charge(bytes_, kernel_, odd, NothingCounted).unattributed.all, Cycles(100));
  const StallsByPc any = {{At(0), One(StallKind::kThrottle, 100)}};
  EXPECT_EQ(Charge(bytes_, "no_such_kernel", any, NothingCounted).unattributed.all, Cycles(100));
  EXPECT_EQ(Charge("no cubin", kernel_, any, NothingCounted).unattributed.all, Cycles(100));
}

TEST_F(Charging, WhateverIsSampledEveryCycleIsChargedOnce) {
  std::mt19937 random(11);
  for (const std::string& path : Cubins()) {
    for (const char* kernel : {"one_load", "two_loads", "ahead", "gather", "either", "stores"}) {
      Open(path, kernel);
      StallsByPc stalls;
      StallTime sum;
      for (int i = 0; i < 200; ++i) {
        const auto number = static_cast<std::uint32_t>(random() % (code_.words.size() + 2));
        const auto kind = static_cast<StallKind>(random() % kStallKinds);
        const StallTime time{Cycles(1 + random() % 1000), Cycles(random() % 2)};
        stalls[At(number)][kind] += time;
        sum += time;
      }
      const Weight weight = [&random](PcOffset) { return Sectors(random() % 40); };
      EXPECT_EQ(Charge(bytes_, kernel_, stalls, weight).Sum(), sum) << path << " " << kernel;
    }
  }
}

TEST_F(Charging, DamagedBytesLoseNothingAndHarmNobody) {
  std::mt19937 random(5);
  Open(Cubins()[0], "ahead");
  StallsByPc stalls;
  for (std::uint32_t n = 0; n < code_.words.size(); ++n) {
    stalls[At(n)] = One(static_cast<StallKind>(n % kStallKinds), 10);
  }
  const std::string whole = bytes_;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = whole;
    for (int k = 0; k < 20; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    EXPECT_EQ(Charge(damaged, kernel_, stalls, NothingCounted).Sum().all,
              Cycles(10 * code_.words.size()));
  }
}

}  // namespace
}  // namespace coalcheck::cost
