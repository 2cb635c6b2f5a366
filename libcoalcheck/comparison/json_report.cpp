// SPDX-License-Identifier: Apache-2.0
//
// Takes the places out of a JSON report, which may be anything.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "libcoalcheck/comparison/measured.h"
#include "libcoalcheck/findings/places/fingerprint.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/recording/field_reader.h"

namespace coalcheck::comparison {
namespace {

using recording::FieldOf;
using recording::FieldReader;

constexpr std::uint32_t kMajorVersion = 1;
constexpr std::size_t kMostValues = 16'000'000;  // of a report of 128 MiB; they take 0.7 GB

Fingerprint ReadFingerprint(const char* key, FieldReader& fields) {
  const auto read = FingerprintFromHex(fields.Text(key));
  if (!read) fields.Refuse(key, "sixteen hexadecimal digits");
  return read.value_or(Fingerprint());
}

Counts ReadCounts(FieldReader& fields) {
  Counts counts;
  if (!fields.IsNull("requests")) counts.requests = Requests(fields.Number("requests"));
  if (!fields.IsNull("lanes")) counts.lanes = Lanes(fields.Number("lanes"));
  counts.sectors = Sectors(fields.Number("sectors"));
  counts.ideal = Sectors(fields.Number("ideal_sectors"));
  if (!fields.IsNull("lines")) counts.lines = CacheLines(fields.Number("lines"));
  return counts;
}

Measured ReadPlace(const rapidjson::Value& row, std::string& problem) {
  Measured place;
  if (!row.IsObject()) {
    problem = "places is no array of objects";
    return place;
  }
  FieldReader fields(row, problem);
  place.fingerprint = ReadFingerprint("fingerprint", fields);
  place.anchor = ReadFingerprint("anchor", fields);
  place.kind = fields.Text("kind");
  if (!fields.IsNull("path")) place.path = fields.Text("path");
  if (!fields.IsNull("line")) place.line = fields.SmallNumber("line");
  place.kernel = fields.Text("kernel");
  if (!fields.IsNull("line_text")) place.text = fields.Text("line_text");
  place.is_finding = fields.Flag("finding");
  if (fields.Has("excuse") && !fields.IsNull("excuse")) place.is_finding = true;
  place.in_scope = fields.Flag("in_scope");
  if (fields.Has("known")) place.is_known = fields.Flag("known");
  place.counts = ReadCounts(fields);
  place.has_requests = !fields.IsNull("requests");
  place.launches_checked = Launches(fields.Number("launches_checked"));
  const char* const waiting = "waiting_share_of_program_percent";
  if (!fields.IsNull(waiting)) place.waiting = fields.Seconds(waiting) / 100;
  return place;
}

bool HasCost(const rapidjson::Value& report) {
  const rapidjson::Value* cost = FieldOf(report, "cost");
  const rapidjson::Value* known = cost == nullptr ? nullptr : FieldOf(*cost, "known");
  return known != nullptr && known->IsTrue();
}

std::optional<double> MinWastedShare(const rapidjson::Value& report) {
  const rapidjson::Value* policy = FieldOf(report, "policy");
  const rapidjson::Value* share =
      policy == nullptr ? nullptr : FieldOf(*policy, "min_wasted_share_percent");
  if (share == nullptr || !share->IsNumber()) return std::nullopt;
  return share->GetDouble() / 100;
}

std::string TextOf(const rapidjson::Value& object, const char* key) {
  const rapidjson::Value* text = FieldOf(object, key);
  if (text == nullptr || !text->IsString()) return {};
  return {text->GetString(), text->GetStringLength()};
}

bool CouldNotCollect(const rapidjson::Value& report) {
  const rapidjson::Value* verdict = FieldOf(report, "verdict");
  return verdict != nullptr && recording::HasText(*verdict, "outcome", "could not collect");
}

// Also of a report with findings; reports of earlier versions do not say so of these.
std::string WhyIncomplete(const rapidjson::Value& report) {
  const rapidjson::Value* verdict = FieldOf(report, "verdict");
  if (verdict == nullptr) return {};
  std::string why = TextOf(*verdict, "incomplete");
  if (!why.empty() || !CouldNotCollect(report)) return why;
  why = TextOf(*verdict, "reason");
  return why.empty() ? "it does not say why" : why;
}

// What the report's verdict rests on; reports of earlier versions say nothing of it.
std::vector<std::string> NotesOf(const rapidjson::Value& report) {
  const rapidjson::Value* verdict = FieldOf(report, "verdict");
  const rapidjson::Value* rows = verdict == nullptr ? nullptr : FieldOf(*verdict, "notes");
  std::vector<std::string> notes;
  if (rows == nullptr || !rows->IsArray()) return notes;
  for (const rapidjson::Value& row : rows->GetArray()) {
    if (row.IsString()) notes.emplace_back(row.GetString(), row.GetStringLength());
  }
  return notes;
}

}  // namespace

Result<MeasuredRun> ReadJsonReport(std::string_view bytes, std::string name) {
  if (recording::SizeOfJson(bytes).values > kMostValues) {
    return Error{fmt::format(
        "{}: the report is too large: {} values are accepted; compare the recordings themselves",
        name, words::Grouped(kMostValues))};
  }
  const rapidjson::Document report = recording::ParseJson(bytes);
  if (!recording::HasText(report, "format", "coalcheck-report")) {
    return Error{fmt::format("{}: this is not a JSON report of coalcheck", name)};
  }
  std::string problem;
  FieldReader fields(report, problem);
  if (fields.Number("major") != kMajorVersion) {
    return Error{fmt::format("{}: a report of another major version than {}", name, kMajorVersion)};
  }
  if (!fields.Has("places")) {
    return Error{fmt::format(
        "{}: the report was written before coalcheck could compare them (it has no places)", name)};
  }
  MeasuredRun run;
  run.name = std::move(name);
  run.is_predicted = FieldOf(report, "prediction") != nullptr;
  fields.ForEach("places", [&](const rapidjson::Value& row) {
    run.places.push_back(ReadPlace(row, problem));
  });
  fields.ForEach("kernels", [&](const rapidjson::Value& row) {
    FieldReader kernel(row, problem);
    const Launches checked(kernel.Number("launches_checked"));
    run.launches += Launches(kernel.Number("launches"));
    run.launches_checked += checked;
    const std::string mangled = kernel.Text("kernel_mangled");
    if (checked > Launches(0) || run.is_predicted)
      run.kernels.insert(findings::StableKernelName(mangled));
  });
  run.has_cost = HasCost(report);
  run.incomplete = WhyIncomplete(report);
  if (CouldNotCollect(report)) run.not_collected = run.incomplete;
  run.notes = NotesOf(report);
  run.min_wasted_share = MinWastedShare(report);
  if (!problem.empty()) return Error{fmt::format("{}: {}", run.name, problem)};
  return run;
}

}  // namespace coalcheck::comparison
