// SPDX-License-Identifier: Apache-2.0
//
// What is known of the ranks of a job, over all of their processes.
#pragma once

#include "libcoalcheck/merging/spread_book.h"
#include "libcoalcheck/recording/rank_table.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::merging {

// A process as the entry of its rank and host.
recording::RankEntry EntryOf(const recording::RecordedRun& process);

struct JobBook {
  recording::RankTable ranks;
  SpreadBook spreads;

  // One process, or all that were merged. Adding is associative and commutative.
  void Add(const recording::RecordedRun& run);
};

}  // namespace coalcheck::merging
