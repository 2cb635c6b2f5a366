// SPDX-License-Identifier: Apache-2.0
//
// Sums over one process's windows.
#include "libcoalcheck/merging/job_book.h"

#include <algorithm>

#include "libcoalcheck/merging/counters.h"
#include "libcoalcheck/recording/merged_line.h"
#include "libcoalcheck/recording/shape_launches.h"

namespace coalcheck::merging {
namespace {

recording::RankSums SumsOf(const recording::RecordedRun& process) {
  recording::RankSums sums;
  for (const auto& [shape, launches] : recording::LaunchesOf(process)) {
    sums.launches += launches.seen;
    sums.checked += launches.inside;
  }
  const Counters& counters = process.header.counters;
  const Column sectors(counters, recording::kSectors);
  const Column ideal(counters, recording::kIdealSectors);
  for (const recording::Window& window : process.windows) {
    for (const recording::FunctionCounts& function : window.functions) {
      for (const recording::CountRow& row : function.rows) {
        sums.sectors += Sectors(sectors.Of(row));
        sums.ideal += Sectors(ideal.Of(row));
      }
    }
  }
  return sums;
}

}  // namespace

recording::RankEntry EntryOf(const recording::RecordedRun& process) {
  recording::RankEntry entry;
  entry.job = process.header.job;
  entry.host = process.header.host;
  for (const recording::Device& device : process.devices) {
    if (const auto gpu = recording::UuidFromText(device.uuid)) entry.gpus.push_back(*gpu);
  }
  recording::Ending ending;
  ending.processes = 1;
  ending.said_so = process.end.has_value();
  if (process.process_end) {
    ending.kind = process.process_end->kind;
    ending.number = process.process_end->number;
  }
  entry.endings.push_back(ending);
  entry.sums = SumsOf(process);
  return entry;
}

void JobBook::Add(const recording::RecordedRun& run) {
  spreads.Add(run);
  if (run.is_merged()) {
    ranks.Add(run.ranks);
  } else {
    ranks.Add(EntryOf(run));
  }
}

}  // namespace coalcheck::merging
