// SPDX-License-Identifier: Apache-2.0
//
// The counterpart of merged_line.cpp.
#include "libcoalcheck/recording/merged_fields.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "libcoalcheck/recording/field_reader.h"
#include "libcoalcheck/recording/merged_line.h"
#include "libcoalcheck/recording/rank_fields.h"

namespace coalcheck::recording {
namespace {

using rapidjson::Value;

// Sectors of a request at most, in eighths, and some.
constexpr std::uint32_t kMostEighths = 8 * 128;

Ending ReadEnding(const Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  Ending ending;
  ending.processes = fields.SmallNumber("processes");
  ending.said_so = fields.IsTrue("said_so");
  if (fields.Has("exit_code")) {
    ending.kind = EndKind::kExit;
    ending.number = fields.SmallNumber("exit_code");
  } else if (fields.Has("signal")) {
    ending.kind = EndKind::kSignal;
    ending.number = fields.SmallNumber("signal");
  } else if (fields.IsTrue("exec")) {
    ending.kind = EndKind::kExec;
  }
  return ending;
}

MergedRecord ReadRank(const Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  RankEntry entry;
  entry.job = ReadJobMembership(fields);
  entry.host = fields.OptionalText("host");
  for (const std::string& text : fields.OptionalTexts("gpus")) {
    const std::optional<GpuUuid> gpu = UuidFromText(text);
    if (gpu) entry.gpus.push_back(*gpu);
    if (!gpu) fields.Refuse("gpus", "of GPU- and 32 hexadecimal digits");
  }
  fields.ForEach("endings", [&](const Value& element) {
    entry.endings.push_back(ReadEnding(element, problem));
  });
  entry.sums.launches = Launches(fields.Number("launches"));
  entry.sums.checked = Launches(fields.Number("launches_checked"));
  entry.sums.sectors = Sectors(fields.Number("sectors"));
  entry.sums.ideal = Sectors(fields.Number("ideal_sectors"));
  return entry;
}

RankValue ReadValue(const Value& object, const char* key, FieldReader& fields) {
  const Value* value = FieldOf(object, key);
  const bool is_value = value != nullptr && value->IsArray() && value->Size() == 3 &&
                        (*value)[0].IsUint64() && (*value)[1].IsUint64() && (*value)[2].IsUint() &&
                        (*value)[1].GetUint64() > 0;
  if (is_value) return {(*value)[0].GetUint64(), (*value)[1].GetUint64(), (*value)[2].GetUint()};
  fields.Refuse(key, "sectors, requests and a rank");
  return {};
}

bool ReadStep(const Value& array, SpreadStep& step) {
  if (!array.IsArray() || array.Size() < 2 || array.Size() > 2 + kNamedRanks) return false;
  if (!array[0].IsUint() || !array[1].IsUint64()) return false;
  step.eighths = array[0].GetUint();
  step.processes = array[1].GetUint64();
  for (rapidjson::SizeType i = 2; i < array.Size(); ++i) {
    if (!array[i].IsUint()) return false;
    step.ranks.push_back(array[i].GetUint());
  }
  return step.eighths <= kMostEighths && std::ranges::is_sorted(step.ranks);
}

Extent ReadExtent(const Value& object, const char* key, FieldReader& outer, std::string& problem) {
  Extent extent;
  const Value* found = FieldOf(object, key);
  if (found == nullptr) {
    outer.Refuse(key, "an object");
    return extent;
  }
  FieldReader fields(*found, problem);
  extent.least = ReadValue(*found, "least", fields);
  extent.most = ReadValue(*found, "most", fields);
  fields.ForEach("eighths", [&](const Value& array) {
    SpreadStep step;
    const bool is_next = ReadStep(array, step) &&
                         (extent.steps.empty() || extent.steps.back().eighths < step.eighths);
    if (is_next) extent.steps.push_back(std::move(step));
    if (!is_next) fields.Refuse("eighths", "ascending steps with processes and ranks");
  });
  return extent;
}

MergedRecord ReadSpread(const Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  Spread spread;
  spread.cubin = fields.Cubin("cubin");
  spread.function = fields.FunctionName("function");
  const FieldReader::Threads threads = fields.GridAndBlock();
  spread.grid = threads.grid;
  spread.block = threads.block;
  fields.ForEach("rows", [&](const Value& element) {
    FieldReader row(element, problem);
    SpreadRow read;
    read.pc = PcOffset(row.SmallNumber("pc"));
    read.processes = row.Number("processes");
    read.touched = ReadExtent(element, "touched", row, problem);
    read.wasted = ReadExtent(element, "wasted", row, problem);
    spread.rows.push_back(std::move(read));
  });
  return spread;
}

LineLoss ReadWhy(FieldReader& fields) {
  const std::string why = fields.Text("why");
  for (int i = 0; i <= static_cast<int>(kLastLineLoss); ++i) {
    if (why == NameOf(static_cast<LineLoss>(i))) return static_cast<LineLoss>(i);
  }
  return LineLoss::kNotJson;  // of a newer version
}

MergedRecord ReadLostLines(const Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  LostLines lost;
  lost.why = ReadWhy(fields);
  lost.lines = fields.Number("lines");
  lost.first_line = fields.Number("first_line");
  lost.first_detail = fields.OptionalText("first_detail");
  lost.of_killed = fields.IsTrue("of_killed");
  lost.ranks = ReadRanks(object, fields);
  return lost;
}

MergedRecord ReadUnread(const Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  Unread unread;
  unread.name = fields.Text("name");
  unread.why = fields.Text("why");
  return unread;
}

struct MergedKind {
  std::string_view name;
  MergedRecord (*read)(const Value&, std::string&);
};

constexpr std::array kMergedKinds = {MergedKind{"rank", ReadRank}, MergedKind{"spread", ReadSpread},
                                     MergedKind{"lost_lines", ReadLostLines},
                                     MergedKind{"unread", ReadUnread}};

}  // namespace

std::optional<MergedRecord> ToMergedRecord(const Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  const std::string name = fields.Text("record");
  if (!problem.empty()) return std::nullopt;
  for (const MergedKind& kind : kMergedKinds) {
    if (kind.name != name) continue;
    MergedRecord record = kind.read(object, problem);
    if (problem.empty()) return record;
  }
  return std::nullopt;
}

}  // namespace coalcheck::recording
