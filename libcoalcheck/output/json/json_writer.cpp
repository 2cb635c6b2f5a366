// SPDX-License-Identifier: Apache-2.0
//
// The report as one JSON object. Counters that were not recorded are null, not 0.
#include "libcoalcheck/output/json/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/places/estimate.h"
#include "libcoalcheck/findings/places/excuses.h"
#include "libcoalcheck/findings/places/scope.h"
#include "libcoalcheck/findings/places/worst_part.h"
#include "libcoalcheck/findings/words/endings.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/json/json_by_range.h"
#include "libcoalcheck/output/json/json_code.h"
#include "libcoalcheck/output/json/json_cost.h"
#include "libcoalcheck/output/json/json_counts.h"
#include "libcoalcheck/output/json/json_job.h"
#include "libcoalcheck/output/json/json_moves.h"
#include "libcoalcheck/output/json/json_patterns.h"
#include "libcoalcheck/output/json/json_places.h"
#include "libcoalcheck/output/json/json_policy.h"
#include "libcoalcheck/output/json_document.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::CountersPresent;
using findings::Report;
using Json = nlohmann::ordered_json;

Json SkippedJson(const std::vector<recording::Skipped>& skipped) {
  Json array = Json::array();
  for (const recording::Skipped& one : skipped) {
    array.push_back({{"reason", one.reason}, {"launches", one.launches.count()}});
  }
  return array;
}

Json InstructionJson(const findings::Instruction& instruction, const CountersPresent& present) {
  Json object = {{"cubin", ToHex(instruction.cubin)},
                 {"pc", instruction.pc.value()},
                 {"width_bytes", NumberIf(instruction.width > Bytes(0), instruction.width)},
                 {"generic", instruction.generic},
                 {"ptx", instruction.ptx.empty() ? Json(nullptr) : Json(instruction.ptx)}};
  AddCounts(instruction.counts, present, object);
  object["address"] = AddressJson(instruction);
  return object;
}

// Innermost first, the kernel's own line last; empty when nothing was inlined.
Json InlineJson(const Access& access) {
  Json array = Json::array();
  if (access.chain.size() < 2) return array;
  for (const findings::Frame& frame : access.chain) {
    array.push_back({{"function", Demangle(frame.function)},
                     {"function_mangled", frame.function},
                     {"file", frame.file},
                     {"line", frame.line}});
  }
  return array;
}

Json EstimateJson(const Access& access) {
  const std::optional<findings::Estimate> estimate = findings::EstimateOf(access);
  if (!estimate) return nullptr;
  return {{"wasted_sectors", estimate->wasted.count()},
          {"launches", estimate->launches.count()},
          {"rests_on_launches", estimate->checked.count()},
          {"rests_on_windows", access.windows}};
}

Json WorstPartJson(const Report& report, const Access& access) {
  const std::optional<findings::WorstPart> worst = findings::WorstPartOf(access);
  if (!worst) return nullptr;
  Json object = {{"of", worst->of}};
  AddCounts(worst->counts, report.present, object);
  AddWaste(worst->counts, object);
  return object;
}

// Of what was predicted; a counted access has none of these keys.
void AddPredicted(const Access& access, Json& object) {
  if (!access.predicted) return;
  const auto text = [](const std::string& words) { return words.empty() ? Json() : Json(words); };
  const findings::Predicted& predicted = *access.predicted;
  object["predicted"] = ToString(predicted.word);
  object["why"] = text(predicted.why);
  object["settled_by"] = text(predicted.settle);
  object["assumed"] = text(predicted.assumed);
  object["lanes_by_data"] = predicted.lanes_by_data;
  object["architecture"] = text(access.sm == 0 ? "" : fmt::format("sm_{}", access.sm));
}

Json PredictionJson(const Report& report) {
  const findings::PredictionSummary& prediction = *report.prediction;
  return {{"assumptions", prediction.assumptions},
          {"images", prediction.images},
          {"accesses", prediction.accesses()},
          {"judged", prediction.judged()},
          {"wasteful", prediction.wasteful},
          {"clean", prediction.clean},
          {"unknown", prediction.unknown},
          {"unknown_by_data", prediction.by_data},
          {"without_ptx", prediction.without_ptx},
          {"max_unknown_percent", prediction.most_unknown_share * 100},
          {"skipped", prediction.skipped}};
}

Json MadeFromJson(const Report& report, const Access& access) {
  Json array = Json::array();
  for (const auto& [frame, text] : access.made_from) {
    array.push_back({{"function", frame.function},
                     {"file", frame.file},
                     {"path", words::PathShown(report, frame.file)},
                     {"line", frame.line},
                     {"text", text}});
  }
  return array;
}

Json AccessJson(const Report& report, const Access& access) {
  Json object = {{"finding", access.is_finding},        {"excuse", ExcuseJson(access.excuse)},
                 {"in_scope", access.in_scope},         {"kernel", Demangle(access.kernel)},
                 {"kernel_mangled", access.kernel},     {"is_kernel", access.is_kernel},
                 {"kind", cubin::ToString(access.kind)}};
  if (access.shown) {
    object["file"] = access.shown->file;
    object["path"] = words::PathShown(report, access.shown->file);
    object["line"] = access.shown->line;
  } else {
    object["file"] = object["path"] = object["line"] = nullptr;
  }
  AddPredicted(access, object);
  object["inline"] = InlineJson(access);
  object["made_from"] = MadeFromJson(report, access);
  object["windows"] = access.windows;
  object["launches_checked"] = access.launches_checked.count();
  object["launches"] = access.launches.count();
  AddCounts(access.counts, report.present, object);
  AddWaste(access.counts, object);
  object["estimate"] = EstimateJson(access);
  object["per_request"] = PerRequestJson(access.counts, report.present);
  object["patterns"] = PatternsJson(access.patterns, report.present);
  object["cost"] = AccessCostJson(report, access);
  object["worst_part"] = WorstPartJson(report, access);
  const auto number = static_cast<std::size_t>(&access - report.accesses.data());
  object["changes"] = access.is_finding ? ChangesJson(report, number) : Json();
  object["instructions"] = Json::array();
  for (const findings::Instruction& instruction : access.instructions) {
    object["instructions"].push_back(InstructionJson(instruction, report.present));
  }
  return object;
}

Json UnattributedJson(const Report& report, const findings::Unattributed& row) {
  Json object = {{"cause", findings::ToString(row.cause)},
                 {"function", Demangle(row.function)},
                 {"function_mangled", row.function},
                 {"cubin", row.cubin ? Json(ToHex(*row.cubin)) : Json(nullptr)},
                 {"detail", row.detail},
                 {"instructions", row.instructions}};
  AddCounts(row.counts, report.present, object);
  return object;
}

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

Json KernelJson(const findings::KernelCoverage& kernel) {
  return {{"kernel", Demangle(kernel.kernel)},
          {"kernel_mangled", kernel.kernel},
          {"launches", kernel.launches.count()},
          {"launches_checked", kernel.checked.count()},
          {"lacks_line_information", kernel.lacks_lines},
          {"counted_nothing", kernel.counted_nothing},
          {"skipped", SkippedJson(kernel.skipped)}};
}

Json RangeJson(const findings::RangeCoverage& coverage) {
  const Sectors wasted = coverage.sectors - coverage.ideal;
  return {{"domain", coverage.range.domain},
          {"name", coverage.range.name},
          {"kind", ToString(coverage.range.kind)},
          {"launches", coverage.launches.count()},
          {"launches_checked", coverage.checked.count()},
          {"windows", coverage.windows},
          {"sectors", coverage.sectors.count()},
          {"ideal_sectors", coverage.ideal.count()},
          {"wasted_sectors", wasted.count()},
          {"wasted_share_percent", Per(wasted, coverage.sectors) * 100}};
}

Json LibraryJson(const findings::LibraryCode& library) {
  return {{"accesses", library.accesses},
          {"kernels", library.kernels},
          {"kernels_without_line_information", library.kernels_without_lines},
          {"sectors", library.sectors.count()},
          {"ideal_sectors", library.ideal.count()},
          {"wasted_sectors", library.Wasted().count()},
          {"wasted_share_percent", Per(library.Wasted(), library.sectors) * 100}};
}

// Findings and clean accesses as the text counts them: instantiations folded.
Json SummaryJson(const Report& report) {
  const auto findings = std::ranges::count_if(report.places, &findings::Place::is_finding);
  Sectors wasted;
  for (const findings::Place& place : report.places) {
    if (place.is_finding) wasted += place.counts.Wasted();
  }
  const findings::LibraryCode library = findings::LibraryCodeOf(report);
  const auto judged = static_cast<std::ptrdiff_t>(report.places.size() - library.accesses);
  const std::uint64_t known = findings::Excused(report, findings::Excuse::By::kBaseline);
  const std::uint64_t suppressed = findings::Excused(report, findings::Excuse::By::kSuppression);
  const auto excused = static_cast<std::ptrdiff_t>(known + suppressed);
  return {{"findings", findings},
          {"known", known},
          {"suppressed", suppressed},
          {"accesses_clean", judged - findings - excused},
          {"wasted_sectors", wasted.count()},
          {"launches", report.launches.count()},
          {"launches_checked", report.launches_checked.count()},
          {"not_judged", LibraryJson(library)}};
}

Json TotalsJson(const Report& report) {
  Sectors unattributed;
  for (const findings::Unattributed& row : report.unattributed) {
    unattributed += row.counts.sectors;
  }
  return {{"sectors", report.sectors.count()},
          {"ideal_sectors", report.ideal.count()},
          {"lines", NumberIf(report.present.lines, report.lines)},
          {"unattributed_sectors", unattributed.count()}};
}

}  // namespace

std::string JsonWriter::Write(const Report& report, const verdict::Verdict& verdict) {
  std::ostringstream text;
  WriteTo(report, verdict, text);
  return std::move(text).str();
}

void JsonWriter::WriteTo(const Report& report, const verdict::Verdict& verdict, std::ostream& out) {
  JsonDocument json(out);
  json.Add("format", "coalcheck-report");
  json.Add("major", kReportMajorVersion);
  json.Add("minor", kReportMinorVersion);
  json.Add("tool_version", COALCHECK_VERSION);
  json.Add("verdict", {{"exit_code", static_cast<int>(verdict.outcome)},
                       {"outcome", verdict::ToString(verdict.outcome)},
                       {"reason", verdict.reason}});
  json.Add("policy", {{"min_wasted_share_percent", report.min_wasted_share * 100},
                      {"scope", findings::ToString(report.scope)},
                      {"scope_asked", findings::ToString(report.scope_asked)},
                      {"notes", report.policy_notes}});
  json.Add("source_root", report.source_root);
  json.Add("summary", SummaryJson(report));
  if (report.prediction) json.Add("prediction", PredictionJson(report));
  json.Add("totals", TotalsJson(report));
  json.Add("cost", ProgramCostJson(report));
  json.AddEach("accesses", report.accesses,
               [&](const Access& row) { return AccessJson(report, row); });
  AddPlaces(report, json);
  json.AddEach("causes", findings::CausesOf(report),
               [&](const findings::Cause& cause) { return CauseJson(report, cause); });
  json.Add("baseline", BaselineJson(report));
  json.AddEach("unattributed", report.unattributed,
               [&](const auto& row) { return UnattributedJson(report, row); });
  json.AddEach("kernels", report.kernels, KernelJson);
  json.AddEach("moves", report.moves, KernelMovesJson);
  json.AddEach("fetched_again", report.fetched_again, FetchedAgainJson);
  json.Add("local_memory", LocalMemoryJson(report));
  json.Add("bulk_copies", BulkCopiesJson(report));
  json.AddEach("ranges", report.ranges, RangeJson);
  json.Add("by_range", ByRangeJson(report));
  json.Add("windows_in_no_group", report.windows_in_no_group);
  json.Add("job", JobJson(report));
  json.AddEach("recordings", report.recordings, RecordingJson);
  json.AddEach("unreadable_recordings", report.unreadable, UnreadableJson);
  json.Add("launch", LaunchJson(report, verdict));
  json.End();
}

}  // namespace coalcheck::output
