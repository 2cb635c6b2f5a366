// SPDX-License-Identifier: Apache-2.0
//
// Ranks as stretches, [first, last], as recordings have them.
#include <nlohmann/json.hpp>

#include "libcoalcheck/output/json/json_parts.h"
#include "libcoalcheck/recording/merged_line.h"

namespace coalcheck::output {
namespace {

using findings::Job;
using Json = nlohmann::ordered_json;

template <typename Value>
Json OrNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json RanksJson(const recording::RankSet& ranks) {
  Json array = Json::array();
  for (const auto& [first, last] : ranks.spans()) array.push_back(Json::array({first, last}));
  return array;
}

Json JobRanksJson(const findings::JobRanks& one) {
  return {{"job", one.job.empty() ? Json(nullptr) : Json(one.job)},
          {"world_size", OrNull(one.world_size)},
          {"ranks_recorded", one.recorded.Count()},
          {"recorded", RanksJson(one.recorded)},
          {"missing", RanksJson(one.missing)}};
}

Json ValueJson(const recording::RankValue& value) {
  const double rate = static_cast<double>(value.sectors) / static_cast<double>(value.requests);
  return {{"sectors", value.sectors},
          {"requests", value.requests},
          {"sectors_per_request", rate},
          {"rank", value.rank}};
}

Json DimJson(const recording::Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json DifferenceJson(const findings::Report& report, const findings::RankDifference& one) {
  const findings::Access& access = report.accesses[one.access];
  Json steps = Json::array();
  for (const recording::SpreadStep& step : one.touched.steps) {
    steps.push_back({{"sectors_per_request_from", step.eighths / 8.0},
                     {"processes", step.processes},
                     {"lowest_ranks", step.ranks}});
  }
  return {{"access", one.access},
          {"kernel_mangled", access.kernel},
          {"grid", DimJson(one.grid)},
          {"block", DimJson(one.block)},
          {"processes", one.processes},
          {"least", ValueJson(one.touched.least)},
          {"most", ValueJson(one.touched.most)},
          {"median_sectors_per_request", one.median_sectors_per_request},
          {"unlike_most_processes", one.other_processes},
          {"unlike_most_ranks", RanksJson(one.others)},
          {"steps", steps}};
}

Json EndingJson(const recording::Ending& ending) {
  const auto number = [&](recording::EndKind kind) {
    return ending.kind == kind ? Json(ending.number) : Json(nullptr);
  };
  return {{"processes", ending.processes},
          {"noted_its_end", ending.said_so},
          {"exit_code", number(recording::EndKind::kExit)},
          {"signal", number(recording::EndKind::kSignal)}};
}

Json RankJson(const recording::RankEntry& entry) {
  Json gpus = Json::array();
  for (const recording::GpuUuid& gpu : entry.gpus) gpus.push_back(recording::ToText(gpu));
  Json endings = Json::array();
  for (const recording::Ending& ending : entry.endings) endings.push_back(EndingJson(ending));
  return {{"job", entry.job.id.empty() ? Json(nullptr) : Json(entry.job.id)},
          {"rank", OrNull(entry.job.rank)},
          {"local_rank", OrNull(entry.job.local_rank)},
          {"host", entry.host},
          {"gpus", gpus},
          {"endings", endings},
          {"launches", entry.sums.launches.count()},
          {"launches_checked", entry.sums.checked.count()},
          {"sectors", entry.sums.sectors.count()},
          {"ideal_sectors", entry.sums.ideal.count()}};
}

}  // namespace

Json JobJson(const findings::Report& report) {
  if (!report.job) return nullptr;
  const Job& job = *report.job;
  Json object = {{"ranks_recorded", job.recorded()},
                 {"ranks_expected", job.expected() > 0 ? Json(job.expected()) : Json(nullptr)},
                 {"hosts", job.hosts},
                 {"shapes_compared", job.shapes_compared},
                 {"shapes_of_one_rank", job.shapes_alone}};
  object["jobs"] = Json::array();
  for (const auto& one : job.jobs) object["jobs"].push_back(JobRanksJson(one));
  object["ranks_on_several_hosts"] = Json::array();
  for (const auto& one : job.on_hosts) {
    object["ranks_on_several_hosts"].push_back({{"rank", one.rank}, {"hosts", one.hosts}});
  }
  object["differences"] = Json::array();
  for (const auto& one : job.differences) {
    object["differences"].push_back(DifferenceJson(report, one));
  }
  object["ranks"] = Json::array();
  if (job.is_grouped) {
    job.ranks.ForEach(
        [&](const recording::RankEntry& entry) { object["ranks"].push_back(RankJson(entry)); });
  }
  return object;
}

}  // namespace coalcheck::output
