// SPDX-License-Identifier: Apache-2.0
//
// One recording as it was read: what its intact lines say, and what became of the others.
#pragma once

#include <optional>
#include <vector>

#include "libcoalcheck/recording/merged_records.h"
#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/rank_table.h"
#include "libcoalcheck/recording/recorded_lines.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

struct RecordedRun {
  Header header;
  std::vector<Device> devices;
  std::vector<Module> modules;
  std::vector<RangeSet> range_sets;
  std::vector<Window> windows;       // each number once, in the order of the file
  std::vector<Tally> tallies;        // the last word on each launch shape
  std::vector<Uncounted> uncounted;  // the last word on each kernel
  std::vector<Loss> losses;          // the last word on each cause and detail
  std::vector<Unmatched> unmatched;
  std::optional<Cost> cost;
  std::vector<PcSampling> pc_samplings;  // each number once
  std::vector<PcSamples> pc_samples;
  std::vector<Source> sources;            // at most kMostSources
  std::optional<End> end;                 // empty: the process was killed, or still runs
  std::optional<ProcessEnd> process_end;  // of the header's process; empty: its end was not seen
  std::optional<Progress> progress;       // not a record: from the file beside them
  bool is_progress_damaged = false;       // that file is there and cannot be read
  std::vector<LostLines> lost_lines;      // by cause
  // Of a merged recording alone.
  RankTable ranks;
  std::vector<Spread> spreads;
  std::vector<Unread> unread;

  bool is_merged() const { return header.merged > 0; }
};

}  // namespace coalcheck::recording
