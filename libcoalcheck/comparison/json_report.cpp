// SPDX-License-Identifier: Apache-2.0
//
// Takes the places out of a JSON report, which may be anything.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "libcoalcheck/comparison/measured.h"
#include "libcoalcheck/findings/fingerprint.h"
#include "libcoalcheck/recording/field_reader.h"

namespace coalcheck::comparison {
namespace {

using nlohmann::json;
using recording::FieldReader;

constexpr std::uint32_t kMajorVersion = 1;

bool IsNull(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_null();
}

bool Flag(const json& object, const char* key, FieldReader& fields) {
  const auto found = object.find(key);
  if (found != object.end() && found->is_boolean()) return found->get<bool>();
  fields.Refuse(key, "true or false");
  return false;
}

Fingerprint ReadFingerprint(const char* key, FieldReader& fields) {
  const auto read = FingerprintFromHex(fields.Text(key));
  if (!read) fields.Refuse(key, "sixteen hexadecimal digits");
  return read.value_or(Fingerprint());
}

findings::Counts ReadCounts(const json& row, FieldReader& fields) {
  findings::Counts counts;
  if (!IsNull(row, "requests")) counts.requests = Requests(fields.Number("requests"));
  if (!IsNull(row, "lanes")) counts.lanes = Lanes(fields.Number("lanes"));
  counts.sectors = Sectors(fields.Number("sectors"));
  counts.ideal = Sectors(fields.Number("ideal_sectors"));
  if (!IsNull(row, "lines")) counts.lines = CacheLines(fields.Number("lines"));
  return counts;
}

Measured ReadPlace(const json& row, std::string& problem) {
  Measured place;
  if (!row.is_object()) {
    problem = "places is no array of objects";
    return place;
  }
  FieldReader fields(row, problem);
  place.fingerprint = ReadFingerprint("fingerprint", fields);
  place.anchor = ReadFingerprint("anchor", fields);
  place.kind = fields.Text("kind");
  if (!IsNull(row, "path")) place.path = fields.Text("path");
  if (!IsNull(row, "line")) place.line = fields.SmallNumber("line");
  place.kernel = fields.Text("kernel");
  if (!IsNull(row, "line_text")) place.text = fields.Text("line_text");
  place.is_finding = Flag(row, "finding", fields);
  const auto excuse = row.find("excuse");
  if (excuse != row.end() && !excuse->is_null()) place.is_finding = true;
  place.in_scope = Flag(row, "in_scope", fields);
  place.counts = ReadCounts(row, fields);
  place.has_requests = !IsNull(row, "requests");
  place.launches_checked = Launches(fields.Number("launches_checked"));
  const char* const waiting = "waiting_share_of_program_percent";
  if (!IsNull(row, waiting)) place.waiting = fields.Seconds(waiting) / 100;
  return place;
}

}  // namespace

Result<MeasuredRun> ReadJsonReport(std::string_view bytes, std::string name) {
  const json report = json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (!report.is_object() || report.value("format", json()) != "coalcheck-report") {
    return Error{fmt::format("{}: this is no JSON report of coalcheck", name)};
  }
  std::string problem;
  FieldReader fields(report, problem);
  if (fields.Number("major") != kMajorVersion) {
    return Error{fmt::format("{}: a report of another major version than {}", name, kMajorVersion)};
  }
  if (!report.contains("places")) {
    return Error{fmt::format(
        "{}: the report was written before coalcheck could compare them (it has no places)", name)};
  }
  MeasuredRun run;
  run.name = std::move(name);
  fields.ForEach("places", [&](const json& row) { run.places.push_back(ReadPlace(row, problem)); });
  fields.ForEach("kernels", [&](const json& row) {
    FieldReader kernel(row, problem);
    const Launches checked(kernel.Number("launches_checked"));
    run.launches += Launches(kernel.Number("launches"));
    run.launches_checked += checked;
    const std::string mangled = kernel.Text("kernel_mangled");
    if (checked > Launches(0)) run.kernels.insert(findings::StableKernelName(mangled));
  });
  const auto cost = report.find("cost");
  run.has_cost = cost != report.end() && cost->is_object() && cost->value("known", json()) == true;
  const auto policy = report.find("policy");
  if (policy != report.end() && policy->is_object()) {
    const json share = policy->value("min_wasted_share_percent", json());
    if (share.is_number()) run.min_wasted_share = share.get<double>() / 100;
  }
  if (!problem.empty()) return Error{fmt::format("{}: {}", run.name, problem)};
  return run;
}

}  // namespace coalcheck::comparison
