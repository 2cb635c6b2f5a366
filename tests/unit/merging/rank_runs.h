// SPDX-License-Identifier: Apache-2.0
//
// Recordings of ranks, made by hand or at random, and what becomes of them on disk and back.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/merging/merger.h"
#include "libcoalcheck/merging/records_in_order.h"
#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/reader.h"

namespace coalcheck::merging {

using recording::RecordedRun;

inline const Counters kAllCounters = {"requests", "lanes",         "async_requests", "async_lanes",
                                      "sectors",  "ideal_sectors", "lines"};

inline std::string BytesOf(const RecordedRun& merged) {
  std::string bytes;
  ForEachLineInOrder(merged, [&](std::string_view, const std::string& line) {
    bytes += line;
    return true;
  });
  recording::End end = *merged.end;
  end.before = recording::Contents{{}, HashCubin(bytes).value()};
  return bytes + recording::ToJsonLine(end);
}

// As it is after it was written and read.
inline RecordedRun ReadBack(const std::string& bytes) {
  auto run = recording::ParseRecords(bytes);
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : RecordedRun{};
}

inline std::string Merged(const std::vector<RecordedRun>& runs) {
  Merger merger;
  for (const RecordedRun& run : runs) merger.Add(run);
  return BytesOf(std::move(merger).Finish());
}

// A window of one launch of `kernel`, whose one instruction made `requests` of `sectors` each.
inline recording::Window WindowOf(std::uint64_t number, const std::string& kernel,
                                  std::uint64_t requests, std::uint64_t sectors) {
  recording::Window window;
  window.window = WindowId(number);
  window.inside = {{{kernel, {4, 1, 1}, {32, 1, 1}, {}}, Launches(1), {}}};
  window.functions = {
      {CubinId(7),
       kernel,
       {{PcOffset(16), {requests, 32 * requests, 0, 0, sectors * requests, requests, requests}}}}};
  return window;
}

inline RecordedRun RunOfRank(std::uint32_t rank, std::uint64_t sectors = 4) {
  RecordedRun run;
  run.header.host = "node" + std::to_string(rank / 8);
  run.header.pid = 100 + rank;
  run.header.program = "/app";
  run.header.started = "2026-01-01T00:00:00Z";
  run.header.counters = kAllCounters;
  run.header.job = {rank, rank % 8, 1000, "slurm 1.0"};
  run.devices = {{DeviceIndex(0), "NVIDIA H200", "GH100", 9, 0}};
  run.modules = {{ContextId(1), CubinId(7), Bytes(100)}};
  run.windows = {WindowOf(1, "kernel", 10, sectors)};
  run.tallies = {
      {run.windows[0].inside[0].shape, Launches(5), Launches(1), {{"sampling", Launches(4)}}}};
  run.end = recording::End{"exit", 1, {}};
  return run;
}

}  // namespace coalcheck::merging
