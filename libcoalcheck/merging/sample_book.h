// SPDX-License-Identifier: Apache-2.0
//
// Samples of program counters of many processes, summed where they were taken alike.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::merging {

class SampleBook {
 public:
  // `devices`: by the device's number in the run, its number in the book. False: nothing was
  // sampled that can be read.
  bool Add(const recording::RecordedRun& run, const std::map<DeviceIndex, std::uint32_t>& devices);

  // `devices` are the numbers to write in place of those in the book. In as many batches as it
  // takes for none to be longer than a record may be, unless by a name alone.
  void Take(const std::vector<std::uint32_t>& devices, recording::RecordedRun& run) &&;

 private:
  using Key = std::tuple<std::uint32_t, Cycles, Bytes, std::vector<std::string>>;
  using FunctionKey = std::pair<std::optional<CubinId>, std::string>;
  using Functions = std::map<FunctionKey, std::map<std::pair<PcOffset, StallReason>, Samples>>;
  struct Sum {
    Samples dropped;
    Samples elsewhere;
    Samples unplaced;
    Functions functions;
  };

  static void AddBatch(const recording::PcSamples& batch, Sum& sum);
  static void TakeBatches(recording::PcSamples first, const Functions& functions,
                          std::vector<recording::PcSamples>& to);

  std::map<Key, Sum> sums_;
};

}  // namespace coalcheck::merging
