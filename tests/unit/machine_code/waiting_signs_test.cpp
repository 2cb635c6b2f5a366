// SPDX-License-Identifier: Apache-2.0
//
// Each compiled kernel shows the signs that its source promises, on every architecture.
#include "libcoalcheck/machine_code/waiting_signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "libcoalcheck/machine_code/module_facts.h"
#include "tests/unit/machine_code/waiting_fixtures.h"

namespace coalcheck::machine_code {

void PrintTo(const WaitingSigns& signs, std::ostream* out) {
  if (!signs.any()) *out << "no sign";
  for (const WaitingSign sign : kAllWaitingSigns) {
    if (signs.Has(sign)) *out << '[' << ToString(sign) << ']';
  }
}

namespace {

using enum WaitingSign;

using Expectations = std::map<std::string, WaitingSigns>;

const Expectations kWaiting = {
    {"spin_on_volatile", {kStrongLoad}},
    {"spin_with_nanosleep", {kStrongLoad, kNanosleep}},
    {"spin_with_acquire", {kStrongLoad, kFence}},
    {"spin_with_gpu_acquire", {kStrongLoad, kFence}},
    {"spin_in_atomic_wait", {kStrongLoad, kFence, kNanosleep}},
    {"lock_with_compare_and_swap", {kReturningAtomic}},
    {"spin_with_atomic_add", {kReturningAtomic}},
    {"lock_with_addition_and_subtraction", {kReturningAtomic}},
    {"arrive_once_and_poll_by_adding", {kReturningAtomic}},
    {"poll_by_adding_votes", {kReturningAtomic}},
    {"spin_with_exchange_of_64_bits", {kReturningAtomic}},
    {"reread_beside_a_fence", {kRereadWeakLoad, kFence}},
    {"reread_beside_a_system_fence", {kRereadWeakLoad, kFence}},
    {"reread_beside_a_nanosleep", {kRereadWeakLoad, kNanosleep}},
    {"reread_beside_a_barrier", {kRereadWeakLoad}},
    {"reread_in_each_round_of_a_count", {kRereadWeakLoad}},
    {"reread_while_counting_sometimes", {kRereadWeakLoad}},
    {"spin_with_relaxed_system_load", {kStrongLoad}},
    {"spin_with_relaxed_gpu_load_generic", {kStrongLoad}},
    {"spin_in_a_callee", {kStrongLoad}},
    {"spin_around_a_callee", {kStrongLoad}},
    {"spin_with_exit_in_the_middle", {kStrongLoad}},
    {"spin_inside_a_loop", {kStrongLoad}},
    {"spin_through_shared_memory", {kStrongLoad}},
    {"spin_through_a_branch", {kStrongLoad}},
    {"spin_with_vote", {kStrongLoad}},
    {"spin_with_shuffle", {kStrongLoad}},
    {"spin_on_a_byte", {kStrongLoad}},
    {"spin_on_a_pair", {kStrongLoad}},
    {"spin_behind_a_pointer", {kStrongLoad}},
    {"spin_with_a_voting_barrier", {kRereadWeakLoad}},
};

const char* const kWorking[] = {
    "copy_in_a_grid_stride_loop",
    "bound_read_anew_beside_a_barrier",
    "bound_read_anew_counting_down",
    "tiled_product",
    "tiled_product_with_bounds",
    "reduction",
    "binary_search",
    "pointer_chase",
    "searches_in_tiles",
    "histogram",
    "append",
    "append_with_capacity",
    "take_work_from_a_queue",
    "take_pieces_and_sum_up",
    "count_returned",
    "read_volatile_once",
    "read_volatile_in_a_counted_loop",
    "fence_in_a_counted_loop",
    "nanosleep_in_a_counted_loop",
    "last_block_adds_up",
    "spin_on_shared_memory",
    "lock_in_shared_memory",
    "loop_around_a_callee",
    "divides",
    "switches",
    "bitonic_sort",
    "sparse_rows",
    "prints",
    "asserts",
    "copies_ahead",
    "waits_for_its_own",
    "empty",
};

const char* const kMasksOfOtherLanes[] = {
    "ballot_of_lanes_below",    "ballot_under_the_mask_register",
    "ballot_of_lanes_up_to",    "any_of_the_others",
    "shuffle_from_lanes_above", "wait_for_lanes_below",
    "match_among_lanes_below",  "ballot_in_a_loop",
    "ballot_in_a_function",
};

const char* const kSoundMasks[] = {
    "sound_full_mask",        "sound_active_lanes",
    "sound_ballot_as_mask",   "sound_tiles",
    "sound_coalesced_groups", "sound_labels",
    "sound_halves_by_choice", "sound_quarters_by_shift",
    "sound_rows_of_a_block",  "sound_each_alone",
    "sound_first_lanes",      "sound_first_half",
    "sound_columns",          "sound_pairs_in_a_function",
};

// Kernels of `fixture` on every architecture against `expected`, which must name them all.
void ExpectSigns(const std::string& fixture, const Expectations& expected) {
  if (Architectures().empty()) GTEST_SKIP() << "nvcc was not found when this was configured";
  for (const std::string& sm : Architectures()) {
    const std::string cubin = ReadFixture(fixture + "_" + sm + ".cubin");
    std::size_t found = 0;
    for (const std::string_view kernel : KernelNames(cubin)) {
      const auto at = expected.find(std::string(kernel));
      if (at == expected.end()) {
        ADD_FAILURE() << kernel << " has no expectation";
        continue;
      }
      ++found;
      EXPECT_EQ(FindWaitingSigns(cubin, kernel), at->second) << kernel << " on sm_" << sm;
    }
    EXPECT_EQ(found, expected.size()) << "kernels on sm_" << sm;
  }
}

TEST(WaitingSigns, FindEveryWayOfWaiting) { ExpectSigns("waiting", kWaiting); }

TEST(WaitingSigns, SeeNoneInOrdinaryKernels) {
  Expectations expected;
  for (const char* const kernel : kWorking) expected[kernel] = {};
  ExpectSigns("working", expected);
  ExpectSigns("loops", {{"around_each", {}}, {"dot_of_columns", {}}});
}

// Older code than sm_90 votes without waiting for the lanes of a mask.
TEST(WaitingSigns, FindLanesThatWaitForOthersWhichDoNotWaitForThem) {
  Expectations expected;
  for (const char* const kernel : kMasksOfOtherLanes) expected[kernel] = {kOtherLanes};
  for (const char* const kernel : kSoundMasks) expected[kernel] = {};
  if (Architectures().empty()) GTEST_SKIP() << "nvcc was not found when this was configured";
  for (const std::string& sm : Architectures()) {
    const std::string cubin = ReadFixture("masks_" + sm + ".cubin");
    const std::vector<std::string_view> kernels = KernelNames(cubin);
    EXPECT_EQ(kernels.size(), expected.size());
    for (const std::string_view kernel : kernels) {
      const WaitingSigns signs = FindWaitingSigns(cubin, kernel);
      if (std::stoi(sm) >= 90 || expected.at(std::string(kernel)) == WaitingSigns{}) {
        EXPECT_EQ(signs, expected.at(std::string(kernel))) << kernel << " on sm_" << sm;
      }
    }
  }
}

// CUB names its kernels by version and types; the look-back is in the one that scans.
TEST(WaitingSigns, FindTheBarrierOfAGridAndTheLookBackOfAScan) {
  if (Architectures().empty()) GTEST_SKIP() << "nvcc was not found when this was configured";
  for (const std::string& sm : Architectures()) {
    const std::string cubin = ReadFixture("libraries_" + sm + ".cubin");
    int waiting = 0;
    for (const std::string_view kernel : KernelNames(cubin)) {
      const bool waits = kernel == "barrier_over_the_grid" ||
                         kernel.find("16DeviceScanKernel") != std::string_view::npos;
      const WaitingSigns signs = FindWaitingSigns(cubin, kernel);
      EXPECT_EQ(signs.Has(kStrongLoad), waits) << kernel << " on sm_" << sm;
      EXPECT_EQ(signs.any(), waits) << kernel << " on sm_" << sm;
      waiting += waits ? 1 : 0;
    }
    EXPECT_EQ(waiting, 2) << "on sm_" << sm;
  }
}

TEST(WaitingSigns, FollowCallsToFunctionsLinkedIn) {
  ExpectSigns("linked", {{"waits_elsewhere", {kStrongLoad}}, {"works_elsewhere", {}}});
}

// As an architecture that comes after all that are known.
TEST(WaitingSigns, AreUnreadableInCodeThatNobodyHasDecoded) {
  if (Architectures().empty()) GTEST_SKIP() << "nvcc was not found when this was configured";
  std::string cubin = ReadFixture("working_" + Architectures().back() + ".cubin");
  constexpr std::size_t kFlags = 48;  // of the ELF header
  constexpr std::size_t kAbiVersion = 8;
  const std::size_t at = kFlags + (static_cast<unsigned char>(cubin[kAbiVersion]) >= 8 ? 1 : 0);
  EXPECT_EQ(FindWaitingSigns(cubin, "empty"), WaitingSigns{});
  cubin[at] = static_cast<char>(121);
  EXPECT_EQ(FindWaitingSigns(cubin, "empty"), WaitingSigns{kUnreadable});
}

TEST(WaitingSigns, AreUnreadableWhereThereIsNoCode) {
  EXPECT_EQ(FindWaitingSigns("", "kernel"), WaitingSigns{kUnreadable});
  EXPECT_EQ(FindWaitingSigns("no cubin at all", "kernel"), WaitingSigns{kUnreadable});
  EXPECT_TRUE(KernelNames("no cubin at all").empty());
  if (Architectures().empty()) return;
  const std::string cubin = ReadFixture("waiting_" + Architectures().front() + ".cubin");
  EXPECT_EQ(FindWaitingSigns(cubin, "not_in_it"), WaitingSigns{kUnreadable});
}

}  // namespace
}  // namespace coalcheck::machine_code
