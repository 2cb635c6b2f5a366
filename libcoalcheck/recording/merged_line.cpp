// SPDX-License-Identifier: Apache-2.0
//
// The fields of each of these records.
#include "libcoalcheck/recording/merged_line.h"

#include <fmt/format.h>

#include <array>

#include "libcoalcheck/recording/line_builder.h"

namespace coalcheck::recording {
namespace {

constexpr std::string_view kUuidStart = "GPU-";

void AppendEnding(LineBuilder& line, const Ending& ending) {
  line.Open('{');
  line.Number("processes", ending.processes);
  if (ending.said_so) line.Key("said_so").TrueValue();
  if (ending.kind == EndKind::kExit) line.Number("exit_code", ending.number);
  if (ending.kind == EndKind::kSignal) line.Number("signal", ending.number);
  if (ending.kind == EndKind::kExec) line.Key("exec").TrueValue();
  line.Close('}');
}

std::string LineOf(const RankEntry& entry) {
  LineBuilder line("rank");
  AppendJobMembership(line, entry.job);
  line.Text("host", entry.host);
  if (!entry.gpus.empty()) {
    line.Key("gpus").Open('[');
    for (const GpuUuid& gpu : entry.gpus) line.TextValue(ToText(gpu));
    line.Close(']');
  }
  line.Key("endings").Open('[');
  for (const Ending& ending : entry.endings) AppendEnding(line, ending);
  line.Close(']');
  line.Number("launches", entry.sums.launches.count());
  line.Number("launches_checked", entry.sums.checked.count());
  line.Number("sectors", entry.sums.sectors.count());
  line.Number("ideal_sectors", entry.sums.ideal.count());
  return std::move(line).Finish();
}

void AppendValue(LineBuilder& line, std::string_view key, const RankValue& value) {
  line.Key(key).Open('[');
  line.NumberValue(value.sectors);
  line.NumberValue(value.requests);
  line.NumberValue(value.rank);
  line.Close(']');
}

void AppendExtent(LineBuilder& line, std::string_view key, const Extent& extent) {
  line.Key(key).Open('{');
  AppendValue(line, "least", extent.least);
  AppendValue(line, "most", extent.most);
  line.Key("eighths").Open('[');
  for (const SpreadStep& step : extent.steps) {
    line.Open('[');
    line.NumberValue(step.eighths);
    line.NumberValue(step.processes);
    for (const std::uint32_t rank : step.ranks) line.NumberValue(rank);
    line.Close(']');
  }
  line.Close(']');
  line.Close('}');
}

std::string LineOf(const Spread& spread) {
  LineBuilder line("spread");
  line.Text("cubin", ToHex(spread.cubin));
  line.Text("function", spread.function);
  AppendDim3(line, "grid", spread.grid);
  AppendDim3(line, "block", spread.block);
  line.Key("rows").Open('[');
  for (const SpreadRow& row : spread.rows) {
    line.Open('{');
    line.Number("pc", row.pc.value());
    line.Number("processes", row.processes);
    AppendExtent(line, "touched", row.touched);
    AppendExtent(line, "wasted", row.wasted);
    line.Close('}');
  }
  line.Close(']');
  return std::move(line).Finish();
}

std::string LineOf(const LostLines& lost) {
  LineBuilder line("lost_lines");
  line.Text("why", NameOf(lost.why));
  line.Number("lines", lost.lines);
  line.Number("first_line", lost.first_line);
  line.Text("first_detail", lost.first_detail);
  if (lost.of_killed) line.Key("of_killed").TrueValue();
  if (!lost.ranks.empty()) AppendRanks(line, lost.ranks);
  return std::move(line).Finish();
}

std::string LineOf(const Unread& unread) {
  LineBuilder line("unread");
  line.Text("name", unread.name);
  line.Text("why", unread.why);
  return std::move(line).Finish();
}

}  // namespace

std::string ToJsonLine(const MergedRecord& record) {
  return std::visit([](const auto& alternative) { return LineOf(alternative); }, record);
}

std::string_view KindOf(const MergedRecord& record) {
  constexpr std::array<std::string_view, std::variant_size_v<MergedRecord>> kNames = {
      "rank", "spread", "lost_lines", "unread"};
  return kNames[record.index()];
}

std::string ToText(const GpuUuid& uuid) {
  std::string text(kUuidStart);
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid[i]);
  }
  return text;
}

std::optional<GpuUuid> UuidFromText(std::string_view text) {
  if (!text.starts_with(kUuidStart)) return std::nullopt;
  std::string digits;
  for (const char c : text.substr(kUuidStart.size())) {
    if (c != '-') digits += c;
  }
  const std::optional<Fingerprint> high = FingerprintFromHex(digits.substr(0, 16));
  const std::optional<Fingerprint> low =
      FingerprintFromHex(digits.size() < 16 ? "" : digits.substr(16));
  if (!high || !low) return std::nullopt;
  GpuUuid uuid{};
  for (std::size_t i = 0; i < 8; ++i) {
    uuid[i] = static_cast<std::uint8_t>(high->value() >> (56 - 8 * i));
    uuid[8 + i] = static_cast<std::uint8_t>(low->value() >> (56 - 8 * i));
  }
  return uuid;
}

std::string_view NameOf(LineLoss loss) {
  switch (loss) {
    case LineLoss::kCutShort:
      return "cut_short";
    case LineLoss::kNotJson:
      return "not_json";
    case LineLoss::kTooLong:
      return "too_long";
    case LineLoss::kTooDeep:
      return "too_deep";
    case LineLoss::kUnknownRecord:
      return "unknown_record";
    case LineLoss::kBadField:
      return "bad_field";
    case LineLoss::kDuplicateWindow:
      return "duplicate_window";
    case LineLoss::kDuplicatePcSampling:
      return "duplicate_pc_sampling";
    case LineLoss::kSecondHeader:
      return "second_header";
    case LineLoss::kTooManySources:
      return "too_many_sources";
    case LineLoss::kNotAsWritten:
      return "not_as_written";
  }
  return "not_json";
}

}  // namespace coalcheck::recording
