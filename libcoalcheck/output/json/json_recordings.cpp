// SPDX-License-Identifier: Apache-2.0
//
// Where each comes from, how it ended, and what it lacks.
#include <nlohmann/json.hpp>

#include "libcoalcheck/findings/words/endings.h"
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {
namespace {

using findings::Report;
using Json = nlohmann::ordered_json;

Json DevicesJson(const std::vector<recording::Device>& devices) {
  Json array = Json::array();
  for (const recording::Device& device : devices) {
    array.push_back({{"device", device.device.value()},
                     {"name", device.name},
                     {"chip", device.chip},
                     {"compute_major", device.compute_major},
                     {"compute_minor", device.compute_minor},
                     {"driver_version", device.driver_version},
                     {"cupti_version", device.cupti_version}});
  }
  return array;
}

Json LossesJson(const findings::RecordingInfo& recording) {
  Json array = Json::array();
  for (const recording::Loss& loss : recording.losses) {
    array.push_back({{"what", loss.what}, {"detail", loss.detail}, {"count", loss.count}});
  }
  return array;
}

Json UnmatchedJson(const findings::RecordingInfo& recording) {
  Json array = Json::array();
  for (const recording::Unmatched& one : recording.unmatched) {
    array.push_back({{"option", one.option}, {"filter", one.filter}, {"nearest", one.nearest}});
  }
  return array;
}

Json CostJson(const std::optional<recording::Cost>& cost) {
  if (!cost) return nullptr;
  return {
      {"windows", cost->windows},
      {"held_seconds", cost->seconds},
      {"elapsed_seconds", cost->elapsed},
      {"budget_percent", cost->budget_percent > 0 ? Json(cost->budget_percent) : Json(nullptr)}};
}

Json LostLinesJson(const findings::RecordingInfo& recording) {
  Json array = Json::array();
  for (const recording::LostLines& lost : recording.lost_lines) {
    array.push_back({{"why", ToString(lost.why)},
                     {"lines", lost.lines},
                     {"first_line", lost.first_line},
                     {"first_detail", lost.first_detail}});
  }
  return array;
}

// Null unless the process ended that way.
Json NumberOf(recording::EndKind kind, const std::optional<recording::ProcessEnd>& end) {
  return end && end->kind == kind ? Json(end->number) : Json(nullptr);
}

}  // namespace

Json LaunchJson(const Report& report, const verdict::Verdict& verdict) {
  if (!report.launch) return nullptr;
  const findings::Launch& launch = *report.launch;
  const verdict::ShellSees sees = verdict::Decide(launch, verdict);
  Json outlived = Json::array();
  for (const findings::Launch::Outlived& one : launch.outlived) {
    outlived.push_back({{"pid", one.pid}, {"program", one.program}});
  }
  const recording::ProcessEnd seen{0, sees.kind, sees.number};
  return {{"command", launch.command},
          {"pid", launch.end.pid},
          {"exit_code", NumberOf(recording::EndKind::kExit, launch.end)},
          {"signal", NumberOf(recording::EndKind::kSignal, launch.end)},
          {"outlived", outlived},
          {"shell_sees",
           {{"exit_code", NumberOf(recording::EndKind::kExit, seen)},
            {"signal", NumberOf(recording::EndKind::kSignal, seen)},
            {"decided_by", verdict::ToString(sees.decider)}}}};
}

Json UnreadableJson(const findings::Unreadable& recording) {
  return {{"name", recording.name}, {"why", recording.why}};
}

Json FindingAloneJson(const findings::FindingAlone& one) {
  return {{"recording", one.recording},
          {"where", one.where},
          {"kind", cubin::ToString(one.kind)},
          {"sectors", one.counts.sectors.count()},
          {"ideal_sectors", one.counts.ideal.count()},
          {"because", one.because},
          {"in_all", one.in_sum}};
}

Json RecordingJson(const findings::RecordingInfo& recording) {
  const recording::Header& header = recording.header;
  Json object = {
      {"name", recording.name},
      {"program", header.program},
      {"arguments", header.arguments},
      {"working_directory", header.working_directory},
      {"host", header.host},
      {"pid", header.pid},
      {"started", header.started},
      {"sampling", header.sampling},
      {"tool_version", header.tool_version},
      {"rank", header.job.rank ? Json(*header.job.rank) : Json(nullptr)},
      {"recordings_merged", header.merged > 0 ? Json(header.merged) : Json(nullptr)},
      {"end_reason", recording.end ? Json(recording.end->reason) : Json(nullptr)},
      {"seconds", recording.end ? Json(recording.end->seconds) : Json(nullptr)},
      {"ended", findings::HowItEnded(recording)},
      {"exit_code", NumberOf(recording::EndKind::kExit, recording.process_end)},
      {"signal", NumberOf(recording::EndKind::kSignal, recording.process_end)},
      {"launches_seen", recording.progress ? Json(recording.progress->launches) : Json(nullptr)},
      {"devices", DevicesJson(recording.devices)},
      {"windows", recording.windows},
      {"windows_closed_late", recording.windows_closed_late},
      {"dropped_records", recording.dropped_records},
      {"missing_counters", recording.missing_counters},
      {"unmatched_filters", UnmatchedJson(recording)},
      {"cost", CostJson(recording.cost)},
      {"losses", LossesJson(recording)},
      {"lost_lines", LostLinesJson(recording)}};
  return object;
}

}  // namespace coalcheck::output
