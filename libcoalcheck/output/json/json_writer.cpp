// SPDX-License-Identifier: Apache-2.0
//
// The report as one JSON object. Counters that were not recorded are null, not 0.
#include "libcoalcheck/output/json/json_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/places/excuses.h"
#include "libcoalcheck/findings/places/scope.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/json/json_counts.h"
#include "libcoalcheck/output/json/json_parts.h"
#include "libcoalcheck/output/view/notes.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Report;
using Json = nlohmann::ordered_json;

Json SkippedJson(const std::vector<recording::Skipped>& skipped) {
  Json array = Json::array();
  for (const recording::Skipped& one : skipped) {
    array.push_back({{"reason", one.reason}, {"launches", one.launches.count()}});
  }
  return array;
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
          {"by_comments", prediction.by_comment},
          {"without_ptx", prediction.without_ptx},
          {"max_unknown_percent", prediction.most_unknown_share * 100},
          {"skipped", prediction.skipped}};
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
          {"launches_predicted", report.launches_predicted.count()},
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

void WriteAll(const Report& report, const verdict::Verdict& verdict, std::ostream& out) {
  JsonDocument json(out);
  json.Add("format", "coalcheck-report");
  json.Add("major", kReportMajorVersion);
  json.Add("minor", kReportMinorVersion);
  json.Add("tool_version", COALCHECK_VERSION);
  json.Add("verdict", {{"exit_code", static_cast<int>(verdict.outcome)},
                       {"outcome", verdict::ToString(verdict.outcome)},
                       {"reason", verdict.reason},
                       {"incomplete", verdict::WhyIncomplete(report)},
                       {"notes", VerdictNotes(report)}});
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
  json.AddEach("alone", report.alone, FindingAloneJson);
  json.Add("not_judged_alone", report.not_judged_alone);
  json.Add("launch", LaunchJson(report, verdict));
  json.End();
}

}  // namespace

void WriteJson(const FormInput& input, std::ostream& out) {
  WriteAll(input.report, input.verdict, out);
}

std::string JsonReport(const Report& report, const verdict::Verdict& verdict) {
  std::ostringstream text;
  WriteAll(report, verdict, text);
  return std::move(text).str();
}

}  // namespace coalcheck::output
