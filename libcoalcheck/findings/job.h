// SPDX-License-Identifier: Apache-2.0
//
// What a report says of the ranks of a job: which recorded, which are missing, which differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/recording/merged_records.h"
#include "libcoalcheck/recording/rank_set.h"
#include "libcoalcheck/recording/rank_table.h"

namespace coalcheck::findings {

// The ranks of one job. Jobs without a name that have the same number of ranks are taken for one.
struct JobRanks {
  std::string job;                          // empty: not known
  std::optional<std::uint32_t> world_size;  // as the ranks say
  recording::RankSet recorded;
  recording::RankSet missing;  // empty, too, where `world_size` is not known

  // Without those that are none of its `world_size`.
  std::uint64_t present() const;
};

// A rank that recorded on more than one host.
struct RankOnHosts {
  std::string job;
  std::uint32_t rank = 0;
  std::vector<std::string> hosts;
};

// An instruction of which ranks counted different sectors for each request, in launches of one
// shape: of its line and kernel the one that differs most.
struct RankDifference {
  std::size_t access = 0;  // in Report::accesses
  recording::Dim3 grid;
  recording::Dim3 block;
  std::uint64_t processes = 0;  // that counted it
  recording::Extent touched;
  // More than half of the processes are in this step; empty: there is no such step.
  std::optional<recording::SpreadStep> typical;
  recording::RankSet others;              // some of the ranks that are in another step
  std::uint64_t other_processes = 0;      // all that are
  double median_sectors_per_request = 0;  // to the eighth below
};

// How many ranks have to be there: a number, or a share of each job's.
struct MinRanks {
  std::optional<std::uint64_t> ranks;
  double share = 1;  // 0 to 1, where `ranks` is empty
};

struct Job {
  recording::RankTable ranks;
  std::vector<JobRanks> jobs;  // more than one: they were mixed
  std::vector<RankOnHosts> on_hosts;
  std::uint64_t hosts = 0;
  std::uint64_t shapes_compared = 0;  // kernels' shapes that several ranks counted
  std::uint64_t shapes_alone = 0;     // that one rank counted
  std::vector<RankDifference> differences;
  std::optional<MinRanks> min_ranks = MinRanks{};  // empty: as many as there are
  bool is_grouped = false;                         // each rank is to be listed

  std::uint64_t recorded() const;  // that are present, of all jobs
  std::uint64_t expected() const;  // 0: not known
};

struct RanksShort {
  std::uint64_t recorded = 0;
  std::uint64_t expected = 0;  // 0: not known
  std::uint64_t asked = 0;
};
// Of the first of `job`'s jobs that has fewer ranks than `least` asks for as a share, or of all of
// them together where it is a number. Of a job whose number of ranks is not known no share is
// asked.
std::optional<RanksShort> FirstShort(const Job& job, const MinRanks& least);

}  // namespace coalcheck::findings
