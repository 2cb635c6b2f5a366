// SPDX-License-Identifier: Apache-2.0
//
// Whether something takes time in proportion to its size, on a machine however slow or busy.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <limits>

namespace coalcheck::support {

// The processor's time of `work(size)`.
template <typename Work>
double SecondsOf(Work work, std::size_t size) {
  const std::clock_t begin = std::clock();
  work(size);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Does `work(size)` and `work(4 * size)`: what is linear takes 4 times as long, what is quadratic
// 16 times. The quickest of at most three rounds counts.
template <typename Work>
void ExpectLinearTime(std::size_t size, Work work) {
  constexpr double kBetween = 9;
  double one = std::numeric_limits<double>::max();
  double four = one;
  for (int round = 0; round < 3 && (round == 0 || four > kBetween * one); ++round) {
    one = std::min(one, SecondsOf(work, size));
    four = std::min(four, SecondsOf(work, 4 * size));
  }
  EXPECT_LE(four, kBetween * one) << "four times the size of " << one << " s";
}

}  // namespace coalcheck::support
