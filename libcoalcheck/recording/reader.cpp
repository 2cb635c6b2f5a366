// SPDX-License-Identifier: Apache-2.0
//
// Finds the header, checks its version, and has every line taken.
#include "libcoalcheck/recording/reader.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "libcoalcheck/recording/lines.h"
#include "libcoalcheck/recording/parse_json.h"
#include "libcoalcheck/recording/record_fields.h"
#include "libcoalcheck/recording/run_collector.h"

namespace coalcheck::recording {
namespace {

// A few of the first characters, fit for a message.
std::string Excerpt(std::string_view bytes) {
  std::string excerpt;
  for (const char c : bytes.substr(0, std::min<std::size_t>(40, bytes.find('\n')))) {
    excerpt += c >= ' ' && c <= '~' ? c : '?';
  }
  return excerpt;
}

absl::Status NoRecording(std::string_view bytes) {
  if (IsBlank(bytes)) {
    return absl::InvalidArgumentError(
        "the recording is empty: the process ended before it wrote anything");
  }
  return absl::InvalidArgumentError(fmt::format(
      "this is not a coalcheck recording: it has no header; it begins with `{}`", Excerpt(bytes)));
}

// Only major and minor: a newer format may have changed every other field.
absl::Status CheckVersion(const rapidjson::Value& header) {
  const auto number = [&header](const char* key) -> std::uint64_t {
    const rapidjson::Value* found = FieldOf(header, key);
    return found != nullptr && found->IsUint64() ? found->GetUint64() : 0;
  };
  if (number("major") == kMajorVersion) return absl::OkStatus();
  const rapidjson::Value* tool = FieldOf(header, "tool_version");
  const std::optional<std::string_view> version = tool == nullptr ? std::nullopt : TextOf(*tool);
  const std::string writer = version ? fmt::format(" {}", Excerpt(*version)) : std::string();
  return absl::UnimplementedError(fmt::format(
      "the recording has format version {}.{}, and coalcheck {} reads version {}: read it with the "
      "coalcheck{} that wrote it",
      number("major"), number("minor"), COALCHECK_VERSION, kMajorVersion, writer));
}

// The header and the number of its line.
absl::StatusOr<std::pair<Header, std::uint64_t>> FindHeader(std::string_view bytes) {
  absl::StatusOr<std::pair<Header, std::uint64_t>> result = NoRecording(bytes);
  ForEachLine(bytes, [&result](const Line& line) {
    if (line.text.find(kFormatName) == std::string_view::npos) return true;
    const ParsedLine parsed = ParseLine(line);
    if (parsed.loss) return true;
    if (!HasText(parsed.json, "record", "header") || !HasText(parsed.json, "format", kFormatName)) {
      return true;
    }
    if (const absl::Status version = CheckVersion(parsed.json); !version.ok()) {
      result = version;
      return false;
    }
    std::string problem;
    std::optional<Record> record = ToRecord(parsed.json, 0, problem);
    if (record) {
      result = std::make_pair(std::get<Header>(*std::move(record)), line.number);
      return false;
    }
    result = absl::InvalidArgumentError(
        fmt::format("the recording's header (line {}) is damaged: {}", line.number, problem));
    return true;
  });
  return result;
}

}  // namespace

absl::StatusOr<RecordedRun> ParseRecords(std::string_view bytes) {
  absl::StatusOr<std::pair<Header, std::uint64_t>> header = FindHeader(bytes);
  if (!header.ok()) return header.status();
  RunCollector collector(std::move(header->first), header->second, bytes);
  ForEachLine(bytes, [&collector](const Line& line) {
    collector.TakeLine(line);
    return true;
  });
  return std::move(collector).Finish();
}

}  // namespace coalcheck::recording
