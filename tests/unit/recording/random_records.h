// SPDX-License-Identifier: Apache-2.0
//
// Records with random content, strings of any bytes included, for property tests.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

class RandomRecords {
 public:
  explicit RandomRecords(std::uint32_t seed) : random_(seed) {}

  std::size_t Below(std::size_t limit) { return random_() % limit; }

  // Small, large and extreme numbers, each often enough.
  std::uint64_t Number() {
    const std::uint64_t number = (std::uint64_t{random_()} << 32) | random_();
    return Below(8) == 0 ? ~std::uint64_t{0} : number >> Below(64);
  }
  std::uint32_t SmallNumber() { return static_cast<std::uint32_t>(random_() >> Below(32)); }

  std::string Text() {
    std::string text;
    for (std::size_t left = Below(12); left > 0; --left) text += static_cast<char>(random_());
    if (Below(3) == 0) text += "Grüße\xEE\xBE\x80 \"\\\n";
    return text;
  }

  Header MakeHeader() {
    Header header;
    header.tool_version = Text();
    header.program = Text();
    header.arguments = {Text(), Text()};
    header.working_directory = Text();
    header.host = Text();
    header.pid = Number();
    header.started = Text();
    header.sampling = Text();
    const std::size_t most = Below(9);
    std::set<std::string> names;
    // Each name once.
    while (names.size() < most) names.insert(Text());
    header.counters.assign(names.begin(), names.end());
    if (Below(4) == 0) {
      header.merged = 1 + Number() / 2;
      header.sampled = Number();
      header.dropped_counters = {Text()};
    }
    if (Below(2) == 0) header.job = {SmallNumber(), SmallNumber(), SmallNumber(), Text()};
    return header;
  }

  LaunchShape Shape() {
    const auto up_to = [this](std::uint32_t most) { return 1 + SmallNumber() % most; };
    return {Text(),
            {up_to(2147483647), up_to(65535), up_to(65535)},
            {up_to(16), up_to(8), up_to(8)},
            RangeSetId(Below(2) == 0 ? 0 : SmallNumber())};
  }

  RangeSet MakeRangeSet() {
    RangeSet set{RangeSetId(SmallNumber()), {}};
    for (std::size_t left = Below(4); left > 0; --left) {
      const RangeKind kind = Below(2) == 0 ? RangeKind::kPushPop : RangeKind::kStartEnd;
      set.open.push_back({Text(), Text(), kind});
    }
    return set;
  }

  FunctionCounts Function(std::size_t columns) {
    FunctionCounts counts;
    if (Below(4) != 0) counts.cubin = CubinId(Number());
    counts.function = Text();
    for (std::size_t left = Below(5); left > 0; --left) {
      CountRow row{PcOffset(SmallNumber()), {}};
      for (std::size_t i = 0; i < columns; ++i) row.values.push_back(Number());
      counts.rows.push_back(std::move(row));
    }
    return counts;
  }

  LaunchArguments Arguments() {
    LaunchArguments arguments{.launches = Launches(SmallNumber())};
    if (Below(2) == 0) arguments.shared_memory = Bytes(Number());
    if (Below(4) == 0) arguments.cluster = {SmallNumber(), SmallNumber(), SmallNumber()};
    if (Below(4) == 0) {
      arguments.missing = "no: " + Text();
      return arguments;
    }
    arguments.size = Bytes(Below(Below(16) == 0 ? 2 * kMostArgumentBytes : 64));
    for (std::uint64_t i = 0; i < std::min(arguments.size, Bytes(kMostArgumentBytes)).count(); ++i)
      arguments.bytes += static_cast<char>(random_());
    return arguments;
  }

  Window MakeWindow(WindowId id, std::size_t columns) {
    Window window;
    window.window = id;
    window.kind = Below(2) == 0 ? WindowKind::kLaunch : WindowKind::kGraph;
    window.close = Below(2) == 0 ? WindowClose::kInTime : WindowClose::kLate;
    window.device = DeviceIndex(SmallNumber());
    window.context = ContextId(Number());
    window.first_launch = LaunchOrdinal(Number());
    for (std::size_t left = Below(3); left > 0; --left) {
      window.inside.push_back({Shape(), Launches(~std::uint64_t{0}), {}});
      for (std::size_t sets = Below(3); sets > 0; --sets) {
        window.inside.back().arguments.push_back(Arguments());
      }
    }
    window.dropped_records = Number();
    for (std::size_t left = Below(4); left > 0; --left) {
      window.functions.push_back(Function(columns));
    }
    if (Below(4) == 0) window.sum_of = Number();
    if (Below(4) == 0) {
      window.origin = Origin{SmallNumber(), Text(), Number(), Text(), WindowId(Number())};
    }
    return window;
  }

  Tally MakeTally() {
    Tally tally{Shape(), Launches(Number()), Launches(Number()), {}};
    for (std::size_t left = Below(3); left > 0; --left) {
      tally.skipped.push_back({Text(), Launches(Number())});
    }
    return tally;
  }

  Uncounted MakeUncounted() {
    Uncounted uncounted{Text(), {}, Launches(Number())};
    for (std::size_t left = Below(4); left > 0; --left) {
      const LaunchShape shape = Shape();
      UncountedSet set{shape.grid, shape.block, Arguments()};
      set.arguments.missing.clear();
      uncounted.sets.push_back(std::move(set));
    }
    return uncounted;
  }

  Device MakeDevice() {
    return {DeviceIndex(SmallNumber()),
            Text(),
            Text(),
            SmallNumber(),
            SmallNumber(),
            SmallNumber(),
            SmallNumber(),
            SmallNumber(),
            SmallNumber(),
            SmallNumber(),
            SmallNumber(),
            Text()};
  }

  Module MakeModule() {
    return {ContextId(Number()), CubinId(Number()), Bytes(Number()), {Text(), Text()}};
  }
  Unmatched MakeUnmatched() { return {Text(), Text(), {Text(), Text()}, Number()}; }
  Cost MakeCost() {
    const auto seconds = [this] { return static_cast<double>(SmallNumber()) / 1000.0; };
    return {Number(), seconds(), seconds(), seconds()};
  }
  PcSampling MakePcSampling(PcSamplingId id) {
    return {id,
            DeviceIndex(SmallNumber()),
            ContextId(Number()),
            Cycles(Number() | 1U),
            Bytes(Number()),
            {Text(), Text(), Text()}};
  }
  FunctionSamples MakeFunctionSamples() {
    FunctionSamples samples;
    if (Below(4) != 0) samples.cubin = CubinId(Number());
    samples.function = Text();
    for (std::size_t left = Below(5); left > 0; --left) {
      samples.rows.push_back(
          {PcOffset(SmallNumber()), StallReason(SmallNumber()), Samples(Number())});
    }
    return samples;
  }
  PcSamples MakePcSamples() {
    PcSamples samples{
        PcSamplingId(Number()), Samples(Number()), Samples(Number()), Samples(Number()), {}};
    for (std::size_t left = Below(4); left > 0; --left) {
      samples.functions.push_back(MakeFunctionSamples());
    }
    return samples;
  }
  Source MakeSource() { return {"file " + Text(), 1 + SmallNumber() / 2, Text(), Text(), Text()}; }
  Loss MakeLoss() {
    RankSet ranks;
    for (std::size_t left = Below(4); left > 0; --left) ranks.Add(SmallNumber());
    return {Text(), Text(), Number(), ranks};
  }
  ProcessEnd MakeProcessEnd(std::uint64_t pid) {
    const auto kind = static_cast<EndKind>(Below(3));
    return {pid, kind, kind == EndKind::kExec ? 0 : SmallNumber()};
  }
  // As a clock counts them, whole nanoseconds: 2^53 of them are 104 days.
  // With nothing of what is before it, which only the writer knows.
  End MakeEnd() { return {Text(), static_cast<double>(Number() >> 11U) / 1e9, {}}; }

 private:
  std::mt19937 random_;
};

}  // namespace coalcheck::recording
