// SPDX-License-Identifier: Apache-2.0
//
// Many recordings as one: sums, and of each rank what is left of it. In whatever order and in
// whatever groups they come, the result is the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/merging/counters.h"
#include "libcoalcheck/merging/job_book.h"
#include "libcoalcheck/merging/numbering.h"
#include "libcoalcheck/merging/sample_book.h"
#include "libcoalcheck/merging/uncounted_book.h"
#include "libcoalcheck/merging/window_book.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::merging {

class Merger {
 public:
  // A recording, merged or of one process. What it holds is not kept but as far as it is distinct.
  void Add(const recording::RecordedRun& run);
  // One that could not be read.
  void AddUnread(std::string name, std::string why);

  // The merged recording. Its progress and how its process ended are not known, as it has none.
  recording::RecordedRun Finish() &&;

 private:
  struct RangesKey {
    bool is_unknown = false;  // no record says what was open
    std::vector<OpenRange> open;
    friend auto operator<=>(const RangesKey&, const RangesKey&) = default;
  };
  struct Launched {
    Launches launches;
    Launches counted;
    std::map<std::string, Launches> skipped;
  };
  struct Lost {
    std::uint64_t count = 0;
    recording::RankSet ranks;
  };
  struct Missed {  // a filter that fitted nothing
    std::uint64_t processes = 0;
    std::set<std::string> nearest;
  };
  struct LostLine {
    std::uint64_t lines = 0;
    std::pair<std::uint64_t, std::string> first;  // line and detail, the least
    recording::RankSet ranks;
  };
  struct Loaded {
    std::uint64_t size = 0;
    std::set<std::string> programs;
  };
  // In microseconds, which add up alike in any order.
  struct Held {
    std::uint64_t windows = 0;
    std::uint64_t held = 0;
    std::uint64_t elapsed = 0;
    double budget_percent = 0;
  };
  using RangeNumbers = std::map<RangeSetId, std::uint32_t>;
  using DeviceNumbers = std::map<DeviceIndex, std::uint32_t>;

  void AddHeader(const recording::Header& header);
  void AddCounters(const recording::Header& header);
  RangeNumbers NumberRanges(const recording::RecordedRun& run);
  DeviceNumbers NumberDevices(const recording::RecordedRun& run);
  void AddModules(const recording::RecordedRun& run);
  void AddWindows(const recording::RecordedRun& run, const DeviceNumbers& devices,
                  const RangeNumbers& ranges);
  void AddTallies(const recording::RecordedRun& run, const RangeNumbers& ranges);
  void AddLosses(const recording::RecordedRun& run);
  void AddLoss(const recording::Loss& loss, const recording::RankSet& ranks);
  void AddLostLines(const recording::RecordedRun& run);
  void AddUnmatched(const recording::RecordedRun& run);
  void AddCost(const recording::RecordedRun& run);

  void FinishRanges(recording::RecordedRun& run) const;
  void FinishDevices(recording::RecordedRun& run) const;
  void FinishTallies(recording::RecordedRun& run, const std::vector<std::uint32_t>& ranges) const;
  void FinishLosses(recording::RecordedRun& run) const;
  void FinishLaunchers(recording::RecordedRun& run) const;

  std::optional<recording::Header> header_;
  Counters counters_;      // that all have
  Counters any_counters_;  // that one has
  Numbering<RangesKey> ranges_;
  Numbering<std::string> devices_;  // by their lines
  std::map<std::string, recording::Device> device_of_;
  std::map<CubinId, Loaded> modules_;
  WindowBook windows_;
  std::map<recording::LaunchShape, Launched> tallies_;
  UncountedBook uncounted_;
  std::map<std::pair<std::string, std::string>, Lost> losses_;
  std::map<std::pair<recording::LineLoss, bool>, LostLine> lost_lines_;  // by cause and of_killed
  std::map<std::pair<std::string, std::string>, Missed> unmatched_;
  std::optional<Held> cost_;
  SampleBook samples_;
  JobBook job_;
  std::set<recording::Unread> unread_;
  std::set<recording::Source> sources_;
};

}  // namespace coalcheck::merging
