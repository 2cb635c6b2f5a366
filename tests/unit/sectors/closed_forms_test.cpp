// SPDX-License-Identifier: Apache-2.0
//
// The formulas against the byte oracle, over all their parameters or random ones.
#include "tests/unit/sectors/closed_forms.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/sectors/byte_oracle.h"
#include "tests/unit/sectors/print.h"

namespace coalcheck::sectors {
namespace {

constexpr std::uint32_t kWidths[] = {1, 2, 4, 8, 16};

TEST(ClosedForms, UnitStrideHoldsForEveryAlignmentWidthAndNumberOfLanes) {
  for (const std::uint32_t width : kWidths) {
    for (std::uint64_t base = 0; base < 256; base += width) {
      for (std::uint32_t lanes = 1; lanes <= 32; ++lanes) {
        ASSERT_EQ(UnitStride(base, width, lanes), CountBytes(Strided(base, width, width, lanes)))
            << "base " << base << ", width " << width << ", lanes " << lanes;
      }
    }
  }
}

TEST(ClosedForms, ABroadcastHoldsForEveryWidthAndNumberOfLanes) {
  for (const std::uint32_t width : kWidths) {
    for (std::uint32_t lanes = 1; lanes <= 32; ++lanes) {
      ASSERT_EQ(Broadcast(width, lanes), CountBytes(Strided(7 * width, 0, width, lanes)));
    }
  }
}

TEST(ClosedForms, ConstantStrideHoldsForRandomBasesAndStrides) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t width = kWidths[random() % 5];
    const std::uint64_t stride = width * (1 + random() % (600 / width));
    const std::uint64_t base = random() % 512 / width * width;
    const std::uint32_t lanes = 1 + static_cast<std::uint32_t>(random() % 32);
    ASSERT_EQ(ConstantStride(base, stride, width, lanes),
              CountBytes(Strided(base, stride, width, lanes)))
        << "base " << base << ", stride " << stride << ", width " << width << ", lanes " << lanes;
  }
}

TEST(ClosedForms, SeparateRunsHoldForEveryWidthAndLength) {
  for (const std::uint32_t width : kWidths) {
    for (std::uint32_t run = 1; run <= 32; run *= 2) {
      WarpRequest request = Strided(0, 0, width);
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        request.address[lane] = lane / run * 4096 + lane % run * width;
      }
      ASSERT_EQ(SeparateRuns(run, width), CountBytes(request)) << run << " lanes of " << width;
    }
  }
}

TEST(ClosedForms, MaskedUnitStrideHoldsForRandomMasks) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t width = kWidths[random() % 5];
    WarpRequest request = Strided(1024, width, width);
    request.active = static_cast<std::uint32_t>(random() & random() & random());
    ASSERT_EQ(MaskedUnitStride(request.active, width), CountBytes(request))
        << testing::PrintToString(request);
  }
}

}  // namespace
}  // namespace coalcheck::sectors
