// SPDX-License-Identifier: Apache-2.0
//
// Counts are exact: where ranks that ran one kernel in one shape differ, their data do.
#include "libcoalcheck/findings/places/make_job.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace coalcheck::findings {
namespace {

using recording::Extent;
using recording::SpreadRow;
using recording::SpreadStep;

constexpr double kEighths = 8;

using InstructionKey = std::tuple<CubinId, std::string_view, PcOffset>;

double Rate(const recording::RankValue& value) {
  return static_cast<double>(value.sectors) / static_cast<double>(value.requests);
}

double Width(const Extent& extent) { return Rate(extent.most) - Rate(extent.least); }

bool Differs(const SpreadRow& row) {
  return merging::CompareRates(row.touched.least, row.touched.most) != 0 ||
         merging::CompareRates(row.wasted.least, row.wasted.most) != 0;
}

double MedianOf(const SpreadRow& row) {
  std::uint64_t below = 0;
  for (const SpreadStep& step : row.touched.steps) {
    below += step.processes;
    if (2 * below >= row.processes) return step.eighths / kEighths;
  }
  return 0;
}

// Who is not where most are.
void NameOthers(RankDifference& difference) {
  const std::vector<SpreadStep>& steps = difference.touched.steps;
  const auto most = std::ranges::max_element(steps, {}, &SpreadStep::processes);
  if (most != steps.end() && 2 * most->processes > difference.processes) difference.typical = *most;
  if (!difference.typical || steps.size() < 2) return;
  for (const SpreadStep& step : steps) {
    if (step.eighths == most->eighths) continue;
    difference.other_processes += step.processes;
    for (const std::uint32_t rank : step.ranks) difference.others.Add(rank);
  }
}

class JobMaker {
 public:
  explicit JobMaker(const std::vector<Access>& accesses) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      for (const Instruction& one : accesses[i].instructions) {
        index_[{one.cubin, accesses[i].kernel, one.pc}] = i;
      }
    }
  }

  void TakeRanks(const recording::RankTable& ranks, Job& job) const {
    std::map<std::string, JobRanks> jobs;
    std::map<std::pair<std::string, std::uint32_t>, std::set<std::string>> hosts_of;
    std::set<std::string> hosts;
    ranks.ForEach([&](const recording::RankEntry& entry) {
      if (!entry.job.rank) return;
      JobRanks& one = jobs[KeyOf(entry.job)];
      one.job = entry.job.id;
      one.world_size = std::max(one.world_size, entry.job.world_size);
      one.recorded.Add(*entry.job.rank);
      hosts_of[{entry.job.id, *entry.job.rank}].insert(entry.host);
      hosts.insert(entry.host);
    });
    for (auto& [key, one] : jobs) {
      if (one.world_size) one.missing = one.recorded.MissingOf(*one.world_size);
      job.jobs.push_back(std::move(one));
    }
    for (const auto& [rank, on] : hosts_of) {
      if (on.size() < 2) continue;
      job.on_hosts.push_back({rank.first, rank.second, {on.begin(), on.end()}});
    }
    job.hosts = hosts.size();
  }

  void TakeSpreads(const std::vector<recording::Spread>& spreads, Job& job) const {
    for (const recording::Spread& spread : spreads) {
      std::uint64_t most = 0;
      std::map<std::size_t, RankDifference> of_access;
      for (const SpreadRow& row : spread.rows) {
        most = std::max(most, row.processes);
        const auto found = index_.find({spread.cubin, spread.function, row.pc});
        if (found == index_.end() || !Differs(row)) continue;
        RankDifference& difference = of_access[found->second];
        const bool is_wider =
            difference.processes == 0 || Width(row.touched) > Width(difference.touched);
        if (!is_wider) continue;
        difference = {found->second, spread.grid,  spread.block, row.processes,
                      row.touched,   std::nullopt, {},           0,
                      MedianOf(row)};
      }
      ++(most > 1 ? job.shapes_compared : job.shapes_alone);
      for (auto& [access, difference] : of_access) {
        NameOthers(difference);
        job.differences.push_back(std::move(difference));
      }
    }
    std::ranges::stable_sort(job.differences, [](const auto& a, const auto& b) {
      if (Width(a.touched) != Width(b.touched)) return Width(a.touched) > Width(b.touched);
      return a.access < b.access;
    });
  }

 private:
  // Jobs without a name differ only by their number of ranks.
  static std::string KeyOf(const recording::JobMembership& job) {
    if (!job.id.empty()) return "job " + job.id;
    return job.world_size ? std::to_string(*job.world_size) : "";
  }

  std::map<InstructionKey, std::size_t> index_;
};

}  // namespace

std::optional<Job> MakeJob(merging::JobBook book, const std::vector<Access>& accesses) {
  Job job;
  const JobMaker maker(accesses);
  maker.TakeRanks(book.ranks, job);
  if (job.jobs.empty()) return std::nullopt;
  maker.TakeSpreads(std::move(book.spreads).Take(), job);
  job.ranks = std::move(book.ranks);
  return job;
}

}  // namespace coalcheck::findings
