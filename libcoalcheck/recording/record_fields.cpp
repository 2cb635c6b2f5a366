// SPDX-License-Identifier: Apache-2.0
//
// The fields of each record, the counterpart of json_line.cpp.
#include "libcoalcheck/recording/record_fields.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "libcoalcheck/recording/field_reader.h"
#include "libcoalcheck/recording/rank_fields.h"

namespace coalcheck::recording {
namespace {

// What a record's reader may need beside its own fields.
struct Input {
  const rapidjson::Value& object;
  std::size_t columns;
  std::string& problem;
};

// The agent records seven; merging looks for each name of one recording among those of another.
constexpr std::size_t kMostCounters = 256;

Record ReadHeader(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Header header;
  if (fields.Text("format") != kFormatName) fields.Refuse("format", kFormatName);
  header.major = fields.SmallNumber("major");
  header.minor = fields.SmallNumber("minor");
  header.tool_version = fields.OptionalText("tool_version");
  header.program = fields.OptionalText("program");
  header.arguments = fields.OptionalTexts("arguments");
  header.working_directory = fields.OptionalText("working_directory");
  header.host = fields.OptionalText("host");
  header.pid = fields.OptionalNumber("pid");
  header.started = fields.OptionalText("started");
  header.sampling = fields.OptionalText("sampling");
  header.counters = fields.Texts("counters");
  if (header.counters.size() > kMostCounters) fields.Refuse("counters", "at most 256 names");
  const std::set<std::string_view> names(header.counters.begin(), header.counters.end());
  if (names.size() < header.counters.size()) fields.Refuse("counters", "each name once");
  header.job = ReadJobMembership(fields);
  header.merged = fields.OptionalNumber("merged");
  header.sampled = fields.OptionalNumber("sampled");
  header.dropped_counters = fields.OptionalTexts("dropped_counters");
  if (header.dropped_counters.size() > kMostCounters) {
    fields.Refuse("dropped_counters", "at most 256 names");
  }
  return header;
}

Record ReadDevice(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Device device;
  device.device = DeviceIndex(fields.SmallNumber("device"));
  device.name = fields.OptionalText("name");
  device.chip = fields.OptionalText("chip");
  device.compute_major = fields.OptionalSmallNumber("compute_major");
  device.compute_minor = fields.OptionalSmallNumber("compute_minor");
  device.driver_version = fields.OptionalSmallNumber("driver_version");
  device.cupti_version = fields.OptionalSmallNumber("cupti_version");
  device.multiprocessors = fields.OptionalSmallNumber("multiprocessors");
  device.clock_khz = fields.OptionalSmallNumber("clock_khz");
  device.memory_clock_khz = fields.OptionalSmallNumber("memory_clock_khz");
  device.memory_bus_bits = fields.OptionalSmallNumber("memory_bus_bits");
  device.uuid = fields.OptionalText("uuid");
  return device;
}

Record ReadModule(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Module module;
  module.context = ContextId(fields.Number("context"));
  module.cubin = fields.Cubin("cubin");
  module.size = Bytes(fields.Number("size_bytes"));
  module.programs = fields.OptionalTexts("programs");
  return module;
}

constexpr const char* kRowShape = "rows of a pc and one count for each counter of the header";

bool ReadRow(const rapidjson::Value& array, std::size_t columns, CountRow& row) {
  if (!array.IsArray() || array.Size() != columns + 1 || !array[0].IsUint()) return false;
  row.pc = PcOffset(array[0].GetUint());
  row.values.reserve(columns);
  for (rapidjson::SizeType i = 1; i < array.Size(); ++i) {
    if (!array[i].IsUint64()) return false;
    row.values.push_back(array[i].GetUint64());
  }
  return true;
}

FunctionCounts ReadFunction(const Input& input) {
  FieldReader fields(input.object, input.problem);
  FunctionCounts counts;
  counts.cubin = fields.CubinOrNull("cubin");
  counts.function = fields.FunctionName("function");
  fields.ForEach("rows", [&](const rapidjson::Value& array) {
    CountRow row;
    if (!ReadRow(array, input.columns, row)) return fields.Refuse("rows", kRowShape);
    counts.rows.push_back(std::move(row));
  });
  return counts;
}

LaunchArguments ReadArguments(const Input& input) {
  FieldReader fields(input.object, input.problem);
  LaunchArguments arguments;
  arguments.launches = Launches(fields.Number("launches"));
  if (fields.Has("shared_bytes")) arguments.shared_memory = Bytes(fields.Number("shared_bytes"));
  if (fields.Has("cluster")) arguments.cluster = fields.Dim("cluster");
  arguments.missing = fields.OptionalText("missing");
  if (!arguments.missing.empty()) return arguments;
  arguments.size = Bytes(fields.Number("size_bytes"));
  arguments.bytes = fields.HexBytes("bytes");
  const std::uint64_t held = std::min<std::uint64_t>(arguments.size.count(), kMostArgumentBytes);
  if (arguments.bytes.size() != held) fields.Refuse("bytes", "of the size that size_bytes says");
  return arguments;
}

LaunchesInside ReadInside(const Input& input) {
  FieldReader fields(input.object, input.problem);
  LaunchesInside inside;
  inside.shape = fields.Shape();
  inside.launches = Launches(fields.Number("launches"));
  if (!fields.Has("arguments")) return inside;
  Launches sum;
  fields.ForEach("arguments", [&](const rapidjson::Value& element) {
    inside.arguments.push_back(ReadArguments({element, input.columns, input.problem}));
    sum += inside.arguments.back().launches;
  });
  if (sum > inside.launches) fields.Refuse("arguments", "of at most as many launches");
  return inside;
}

WindowKind ReadKind(FieldReader& fields) {
  const std::string kind = fields.Text("kind");
  for (const WindowKind known : {WindowKind::kLaunch, WindowKind::kGraph, WindowKind::kResident}) {
    if (kind == ToString(known)) return known;
  }
  fields.Refuse("kind", "\"launch\", \"graph\" or \"resident\"");
  return WindowKind::kLaunch;
}

Record ReadWindow(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Window window;
  window.window = WindowId(fields.Number("window"));
  window.kind = ReadKind(fields);
  const std::string close = fields.Text("close");
  if (close != "in_time" && close != "late") fields.Refuse("close", "\"in_time\" or \"late\"");
  window.close = close == "late" ? WindowClose::kLate : WindowClose::kInTime;
  window.device = DeviceIndex(fields.SmallNumber("device"));
  window.context = ContextId(fields.Number("context"));
  window.first_launch = LaunchOrdinal(fields.Number("first_launch"));
  window.dropped_records = fields.Number("dropped_records");
  fields.ForEach("inside", [&](const rapidjson::Value& element) {
    window.inside.push_back(ReadInside({element, input.columns, input.problem}));
  });
  fields.ForEach("functions", [&](const rapidjson::Value& element) {
    window.functions.push_back(ReadFunction({element, input.columns, input.problem}));
  });
  window.sum_of = fields.OptionalNumber("sum_of");
  if (const rapidjson::Value* origin = FieldOf(input.object, "origin")) {
    window.origin = ReadOrigin(*origin, input.problem);
  }
  return window;
}

Record ReadTally(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Tally tally;
  tally.shape = fields.Shape();
  tally.launches = Launches(fields.Number("launches"));
  tally.counted = Launches(fields.Number("counted"));
  fields.ForEach("skipped", [&](const rapidjson::Value& element) {
    FieldReader skipped(element, input.problem);
    std::string reason = skipped.Text("reason");
    tally.skipped.push_back({std::move(reason), Launches(skipped.Number("launches"))});
  });
  return tally;
}

Record ReadUncounted(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Uncounted uncounted;
  uncounted.kernel = fields.FunctionName("kernel");
  uncounted.others = Launches(fields.Number("others"));
  fields.ForEach("sets", [&](const rapidjson::Value& element) {
    FieldReader set(element, input.problem);
    const auto [grid, block] = set.GridAndBlock();
    uncounted.sets.push_back({grid, block, ReadArguments({element, input.columns, input.problem})});
    if (uncounted.sets.size() > kMostUncountedSets) fields.Refuse("sets", "at most 64 sets");
    if (set.Has("missing")) fields.Refuse("sets", "sets that are known");
  });
  return uncounted;
}

// More than any recording has; what a hostile one makes the report compare is bounded.
constexpr std::size_t kMostRanges = 256;

Record ReadRangeSet(const Input& input) {
  FieldReader fields(input.object, input.problem);
  RangeSet set;
  set.ranges = RangeSetId(fields.SmallNumber("ranges"));
  fields.ForEach("open", [&](const rapidjson::Value& element) {
    FieldReader range(element, input.problem);
    OpenRange open;
    open.domain = range.OptionalText("domain");
    open.name = range.Text("name");
    const bool is_start_end = range.OptionalText("kind") == ToString(RangeKind::kStartEnd);
    open.kind = is_start_end ? RangeKind::kStartEnd : RangeKind::kPushPop;
    set.open.push_back(std::move(open));
    if (set.open.size() > kMostRanges) fields.Refuse("open", "at most 256 ranges");
  });
  return set;
}

Record ReadUnmatched(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Unmatched unmatched;
  unmatched.option = fields.Text("option");
  unmatched.filter = fields.Text("filter");
  unmatched.nearest = fields.OptionalTexts("nearest");
  if (fields.Has("processes")) unmatched.processes = fields.Number("processes");
  return unmatched;
}

Record ReadCost(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Cost cost;
  cost.windows = fields.Number("windows");
  cost.seconds = fields.Seconds("seconds");
  cost.elapsed = fields.Seconds("elapsed");
  cost.budget_percent = fields.Seconds("budget_percent");
  return cost;
}

Record ReadLoss(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Loss loss;
  loss.what = fields.Text("what");
  loss.detail = fields.OptionalText("detail");
  loss.count = fields.Number("count");
  loss.ranks = ReadRanks(input.object, fields);
  return loss;
}

// Far more than CUPTI has.
constexpr std::size_t kMostReasons = 1024;

Record ReadPcSampling(const Input& input) {
  FieldReader fields(input.object, input.problem);
  PcSampling sampling;
  sampling.sampling = PcSamplingId(fields.Number("sampling"));
  sampling.device = DeviceIndex(fields.SmallNumber("device"));
  sampling.context = ContextId(fields.Number("context"));
  sampling.period = Cycles(fields.Number("period_cycles"));
  sampling.buffer = Bytes(fields.OptionalNumber("buffer_bytes"));
  sampling.reasons = fields.Texts("reasons");
  if (sampling.period == Cycles(0)) fields.Refuse("period_cycles", "at least 1");
  if (sampling.reasons.size() > kMostReasons) fields.Refuse("reasons", "at most 1024");
  return sampling;
}

bool ReadSampleRow(const rapidjson::Value& array, SampleRow& row) {
  if (!array.IsArray() || array.Size() != 3) return false;
  if (!array[0].IsUint() || !array[1].IsUint() || !array[2].IsUint64()) return false;
  row = {PcOffset(array[0].GetUint()), StallReason(array[1].GetUint()),
         Samples(array[2].GetUint64())};
  return true;
}

FunctionSamples ReadFunctionSamples(const Input& input) {
  FieldReader fields(input.object, input.problem);
  FunctionSamples samples;
  samples.cubin = fields.CubinOrNull("cubin");
  samples.function = fields.FunctionName("function");
  fields.ForEach("rows", [&](const rapidjson::Value& array) {
    SampleRow row;
    if (!ReadSampleRow(array, row)) return fields.Refuse("rows", "rows of pc, reason and samples");
    samples.rows.push_back(row);
  });
  return samples;
}

Record ReadPcSamples(const Input& input) {
  FieldReader fields(input.object, input.problem);
  PcSamples samples;
  samples.sampling = PcSamplingId(fields.Number("sampling"));
  samples.dropped = Samples(fields.Number("dropped"));
  samples.elsewhere = Samples(fields.Number("elsewhere"));
  samples.unplaced = Samples(fields.Number("unplaced"));
  fields.ForEach("functions", [&](const rapidjson::Value& element) {
    samples.functions.push_back(ReadFunctionSamples({element, input.columns, input.problem}));
  });
  return samples;
}

Record ReadSource(const Input& input) {
  FieldReader fields(input.object, input.problem);
  Source source;
  source.file = fields.Text("file");
  source.first_line = fields.SmallNumber("first_line");
  source.text = fields.Text("text");
  source.shown_as = fields.OptionalText("shown_as");
  if (source.shown_as.size() > kMostShownAs) source.shown_as.clear();
  source.stack = fields.OptionalText("stack");
  if (source.file.empty()) fields.Refuse("file", "a name");
  if (source.first_line == 0) fields.Refuse("first_line", "at least 1");
  return source;
}

Contents ReadContents(const rapidjson::Value& object, std::string& problem) {
  FieldReader fields(object, problem);
  Contents contents;
  const std::optional<Fingerprint> hash = FingerprintFromHex(fields.Text("hash"));
  if (!hash) fields.Refuse("hash", "sixteen hexadecimal digits");
  contents.hash = hash.value_or(Fingerprint(0)).value();
  const rapidjson::Value* records = FieldOf(object, "records");
  if (records == nullptr || !records->IsObject()) {
    fields.Refuse("records", "an object");
    return contents;
  }
  for (const auto& kind : records->GetObject()) {
    const std::optional<std::string_view> name = TextOf(kind.name);
    if (!name || !kind.value.IsUint64())
      fields.Refuse("records", "numbers");
    else
      contents.records[std::string(*name)] = kind.value.GetUint64();
  }
  return contents;
}

Record ReadEnd(const Input& input) {
  FieldReader fields(input.object, input.problem);
  End end;
  end.reason = fields.OptionalText("reason");
  end.seconds = fields.Seconds("seconds");
  if (const rapidjson::Value* before = FieldOf(input.object, "before")) {
    end.before = ReadContents(*before, input.problem);
  }
  return end;
}

Record ReadProcessEnd(const Input& input) {
  FieldReader fields(input.object, input.problem);
  ProcessEnd end;
  end.pid = fields.Number("pid");
  if (fields.Has("signal")) {
    end.kind = EndKind::kSignal;
    end.number = fields.SmallNumber("signal");
  } else if (fields.IsTrue("exec")) {
    end.kind = EndKind::kExec;
  } else {
    end.number = fields.SmallNumber("exit_code");
  }
  return end;
}

struct Kind {
  std::string_view name;
  Record (*read)(const Input&);
};

constexpr std::array kKinds = {
    Kind{"header", ReadHeader},          Kind{"device", ReadDevice},
    Kind{"module", ReadModule},          Kind{"ranges", ReadRangeSet},
    Kind{"window", ReadWindow},          Kind{"tally", ReadTally},
    Kind{"uncounted", ReadUncounted},    Kind{"loss", ReadLoss},
    Kind{"unmatched", ReadUnmatched},    Kind{"cost", ReadCost},
    Kind{"pc_sampling", ReadPcSampling}, Kind{"pc_samples", ReadPcSamples},
    Kind{"source", ReadSource},          Kind{"end", ReadEnd},
    Kind{"process_end", ReadProcessEnd},
};

}  // namespace

std::optional<Record> ToRecord(const rapidjson::Value& object, std::size_t columns,
                               std::string& problem) {
  FieldReader fields(object, problem);
  const std::string name = fields.Text("record");
  if (!problem.empty()) return std::nullopt;
  for (const Kind& kind : kKinds) {
    if (kind.name != name) continue;
    Record record = kind.read({object, columns, problem});
    if (problem.empty()) return record;
  }
  return std::nullopt;
}

}  // namespace coalcheck::recording
