// SPDX-License-Identifier: Apache-2.0
//
// What all fix pairs share: a wasteful kernel and its repair, run one at a time, and held against
// each other's result.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "samples/common/check.h"
#include "samples/common/device_array.h"
#include "samples/common/timing.h"

namespace fix_pairs {

using samples::DeviceArray;

template <typename T>
using Shared = std::shared_ptr<DeviceArray<T>>;

template <typename T>
Shared<T> MakeArray(std::size_t size) {
  return std::make_shared<DeviceArray<T>>(size);
}

// One kernel with its memory: how to launch it, and what came of it. Whole numbers that a double
// holds exactly, in an order that both kernels of a pair have.
struct Side {
  std::function<void()> launch;
  std::function<std::vector<double>()> result;
};

// Memory is made only for the side that runs.
struct Pair {
  const char* name;
  std::function<Side()> bad;
  std::function<Side()> good;
};

// All of an array, spread over at most a million elements.
template <typename T>
std::vector<double> Values(const DeviceArray<T>& array) {
  constexpr std::size_t kMost = 1 << 20;
  const std::vector<T> all = array.Slice(0, array.size());
  const std::size_t step = (all.size() + kMost - 1) / kMost;
  std::vector<double> values;
  for (std::size_t i = 0; i < all.size(); i += step) values.push_back(static_cast<double>(all[i]));
  return values;
}

inline int Usage(const char* name) {
  std::fprintf(
      stderr,
      "usage: %s bad|good [LAUNCHES]   launches one kernel (20 times) and prints its time\n"
      "       %s check                 launches both and compares their results\n",
      name, name);
  return samples::kUsage;
}

inline int Compare(const Pair& pair) {
  std::vector<double> results[2];
  for (int i = 0; i < 2; ++i) {
    const Side side = i == 0 ? pair.bad() : pair.good();
    side.launch();
    samples::CheckLaunch();
    samples::Check(cudaDeviceSynchronize());
    results[i] = side.result();
  }
  const bool any =
      std::any_of(results[0].begin(), results[0].end(), [](double x) { return x != 0; });
  if (results[0] != results[1] || !any) {
    std::fprintf(stderr, "%s: the kernels' results %s\n", pair.name, any ? "differ" : "are all 0");
    return samples::kWrongResult;
  }
  std::printf("%s: %zu equal values\n", pair.name, results[0].size());
  return samples::kOk;
}

inline int Main(int argc, char** argv, const Pair& pair) {
  const char* const what = argc > 1 ? argv[1] : "";
  const bool is_bad = std::strcmp(what, "bad") == 0;
  const bool is_good = std::strcmp(what, "good") == 0;
  const bool is_check = std::strcmp(what, "check") == 0;
  const long long launches = argc > 2 ? std::atoll(argv[2]) : 20;
  if (argc > 3 || launches < 1 || !(is_bad || is_good || is_check)) return Usage(pair.name);
  samples::RequireGpu(pair.name);
  if (is_check) return Compare(pair);
  const Side side = is_bad ? pair.bad() : pair.good();
  side.launch();  // code is loaded and memory is touched: not what is timed
  const samples::Timing timing = samples::Measure(launches, side.launch);
  std::printf("%s %s median_ms=%.6f timed=%lld launches=%lld\n", pair.name, what, timing.median_ms,
              static_cast<long long>(timing.timed), launches);
  return samples::kOk;
}

}  // namespace fix_pairs
