// SPDX-License-Identifier: Apache-2.0
//
// "987 of 1 000 ranks recorded; ranks 3 and 17-28 are missing".
#include "libcoalcheck/output/view/job.h"

#include <fmt/format.h>

#include "libcoalcheck/findings/words/rank_words.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

using findings::Job;
using findings::JobRanks;
using findings::RankDifference;
using findings::Report;

std::string JobName(const JobRanks& one) {
  return one.job.empty() ? "" : fmt::format("job {}: ", words::Printable(one.job));
}

std::string RecordedNote(const JobRanks& one, bool named) {
  const std::uint64_t recorded = one.recorded.Count();
  std::string note = named ? JobName(one) : "";
  if (!one.world_size) {
    return note + fmt::format("{} recorded, of an unknown number: {}",
                              words::Count(recorded, "rank", "ranks"), words::Ranks(one.recorded));
  }
  note += fmt::format("{} of {} recorded", words::Grouped(recorded),
                      words::Count(*one.world_size, "rank", "ranks"));
  if (one.missing.empty()) return note;
  return note + fmt::format("; {} {} missing", words::Ranks(one.missing),
                            one.missing.Count() == 1 ? "is" : "are");
}

std::string ComparedNote(const Job& job) {
  return fmt::format(
      "ranks compared in {} of a kernel that several of them counted; {} counted by one alone",
      words::Count(job.shapes_compared, "shape", "shapes"), words::Grouped(job.shapes_alone));
}

double Rate(const recording::RankValue& value) {
  return static_cast<double>(value.sectors) / static_cast<double>(value.requests);
}

std::string Dim(const recording::Dim3& dim) { return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z); }

std::string PlaceName(const Report& report, const findings::Access& access) {
  if (!access.shown) return words::ShortName(access.kernel);
  return words::Printable(
      fmt::format("{}:{}", words::PathShown(report, access.shown->file), access.shown->line));
}

std::string Others(const RankDifference& difference) {
  const std::uint64_t unnamed = difference.other_processes - difference.others.Count();
  std::string text = words::Ranks(difference.others);
  if (difference.other_processes > difference.others.Count()) {
    text += fmt::format(" and {} more", words::Grouped(unnamed));
  }
  return text;
}

std::string DifferenceNote(const Report& report, const RankDifference& difference) {
  const findings::Access& access = report.accesses[difference.access];
  const recording::Extent& touched = difference.touched;
  const std::string range =
      fmt::format("from {} (rank {}) to {} (rank {})", words::Average(Rate(touched.least)),
                  touched.least.rank, words::Average(Rate(touched.most)), touched.most.rank);
  const std::string whole =
      difference.typical && difference.other_processes > 0
          ? fmt::format("{} not like the other {}: sectors a request {}", Others(difference),
                        words::Grouped(difference.typical->processes), range)
          : fmt::format("sectors a request differ over {} {}, median {}",
                        words::Count(difference.processes, "process", "processes"), range,
                        words::Average(difference.median_sectors_per_request));
  return fmt::format("{}: {}: {}, grid {}, block {}", PlaceName(report, access),
                     cubin::ToString(access.kind), whole, Dim(difference.grid),
                     Dim(difference.block));
}

std::string RankRow(const recording::RankEntry& entry) {
  const recording::RankSums& sums = entry.sums;
  return fmt::format("{} on {}: {} of {} checked, {} sectors, {} of them wasted",
                     entry.job.rank ? fmt::format("rank {}", *entry.job.rank) : "without a rank",
                     entry.host.empty() ? "an unknown host" : words::Printable(entry.host),
                     words::Grouped(sums.checked.count()),
                     words::Count(sums.launches.count(), "launch", "launches"),
                     words::Short(sums.sectors.count()),
                     words::Percent(Per(sums.sectors - sums.ideal, sums.sectors)));
}

}  // namespace

std::vector<std::string> RankNotes(const Report& report) {
  std::vector<std::string> notes;
  if (!report.job) return notes;
  const Job& job = *report.job;
  const bool is_mixed = job.jobs.size() > 1;
  if (is_mixed) {
    notes.push_back(fmt::format("ranks of {} jobs are in one report", job.jobs.size()));
  }
  for (const JobRanks& one : job.jobs) notes.push_back(RecordedNote(one, is_mixed));
  for (const findings::RankOnHosts& one : job.on_hosts) {
    std::string hosts;
    for (const std::string& host : one.hosts) hosts += (hosts.empty() ? "" : ", ") + host;
    notes.push_back(words::Printable(
        fmt::format("rank {} recorded on {} hosts: {}", one.rank, one.hosts.size(), hosts)));
  }
  if (job.recorded() > 1) notes.push_back(ComparedNote(job));
  return notes;
}

std::vector<std::string> MissingRankNotes(const Report& report) {
  std::vector<std::string> notes;
  if (!report.job) return notes;
  for (const JobRanks& one : report.job->jobs) {
    if (one.missing.empty()) continue;
    notes.push_back(RecordedNote(one, report.job->jobs.size() > 1));
  }
  return notes;
}

std::vector<std::string> DifferenceNotes(const Report& report) {
  std::vector<std::string> notes;
  if (!report.job) return notes;
  for (const RankDifference& one : report.job->differences) {
    notes.push_back(DifferenceNote(report, one));
  }
  return notes;
}

std::vector<std::string> RankRows(const Report& report) {
  std::vector<std::string> rows;
  if (!report.job || !report.job->is_grouped) return rows;
  report.job->ranks.ForEach(
      [&](const recording::RankEntry& entry) { rows.push_back(RankRow(entry)); });
  return rows;
}

}  // namespace coalcheck::output
