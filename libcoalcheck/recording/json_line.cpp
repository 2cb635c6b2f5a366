// SPDX-License-Identifier: Apache-2.0
//
// The fields of each record, written by hand: the agent that calls this depends on nothing.
#include "libcoalcheck/recording/json_line.h"

#include <fmt/format.h>

#include <array>

#include "libcoalcheck/recording/line_builder.h"

namespace coalcheck::recording {
namespace {

void AppendShape(LineBuilder& line, const LaunchShape& shape) {
  line.Text("kernel", shape.kernel);
  AppendDim3(line, "grid", shape.grid);
  AppendDim3(line, "block", shape.block);
  if (shape.ranges != RangeSetId(0)) line.Number("ranges", shape.ranges.value());
}

void AppendRow(LineBuilder& line, const CountRow& row) {
  line.Open('[');
  line.NumberValue(row.pc.value());
  for (const std::uint64_t value : row.values) line.NumberValue(value);
  line.Close(']');
}

void AppendCubin(LineBuilder& line, const std::optional<CubinId>& cubin) {
  if (cubin) {
    line.Text("cubin", ToHex(*cubin));
  } else {
    line.Key("cubin").NullValue();
  }
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits(2 * bytes.size(), '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto value = static_cast<unsigned char>(bytes[i]);
    digits[2 * i] = kDigits[value >> 4U];
    digits[2 * i + 1] = kDigits[value & 15U];
  }
  return digits;
}

void AppendFieldsOf(LineBuilder& line, const LaunchArguments& arguments) {
  line.Number("launches", arguments.launches.count());
  if (arguments.shared_memory) line.Number("shared_bytes", arguments.shared_memory->count());
  if (arguments.cluster) AppendDim3(line, "cluster", *arguments.cluster);
  if (arguments.missing.empty()) {
    line.Number("size_bytes", arguments.size.count());
    line.Text("bytes", Hex(arguments.bytes));
  } else {
    line.Text("missing", arguments.missing);
  }
}

void AppendFunction(LineBuilder& line, const FunctionCounts& counts) {
  line.Open('{');
  AppendCubin(line, counts.cubin);
  line.Text("function", counts.function);
  line.Key("rows").Open('[');
  for (const CountRow& row : counts.rows) AppendRow(line, row);
  line.Close(']');
  line.Close('}');
}

std::string Line(const Header& header) {
  LineBuilder line("header");
  line.Text("format", kFormatName);
  line.Number("major", header.major);
  line.Number("minor", header.minor);
  line.Text("tool_version", header.tool_version);
  line.Text("program", header.program);
  AppendTexts(line, "arguments", header.arguments);
  line.Text("working_directory", header.working_directory);
  line.Text("host", header.host);
  line.Number("pid", header.pid);
  line.Text("started", header.started);
  line.Text("sampling", header.sampling);
  AppendTexts(line, "counters", header.counters);
  AppendJobMembership(line, header.job);
  if (header.merged > 0) {
    line.Number("merged", header.merged);
    line.Number("sampled", header.sampled);
    AppendTexts(line, "dropped_counters", header.dropped_counters);
  }
  return std::move(line).Finish();
}

std::string Line(const Device& device) {
  LineBuilder line("device");
  line.Number("device", device.device.value());
  line.Text("name", device.name);
  line.Text("chip", device.chip);
  line.Number("compute_major", device.compute_major);
  line.Number("compute_minor", device.compute_minor);
  line.Number("driver_version", device.driver_version);
  line.Number("cupti_version", device.cupti_version);
  line.Number("multiprocessors", device.multiprocessors);
  line.Number("clock_khz", device.clock_khz);
  line.Number("memory_clock_khz", device.memory_clock_khz);
  line.Number("memory_bus_bits", device.memory_bus_bits);
  if (!device.uuid.empty()) line.Text("uuid", device.uuid);
  return std::move(line).Finish();
}

std::string Line(const Module& module) {
  LineBuilder line("module");
  line.Number("context", module.context.value());
  line.Text("cubin", ToHex(module.cubin));
  line.Number("size_bytes", module.size.count());
  if (!module.programs.empty()) AppendTexts(line, "programs", module.programs);
  return std::move(line).Finish();
}

std::string Line(const RangeSet& set) {
  LineBuilder line("ranges");
  line.Number("ranges", set.ranges.value());
  line.Key("open").Open('[');
  for (const OpenRange& range : set.open) {
    line.Open('{');
    line.Text("domain", range.domain);
    line.Text("name", range.name);
    line.Text("kind", ToString(range.kind));
    line.Close('}');
  }
  line.Close(']');
  return std::move(line).Finish();
}

void AppendOrigin(LineBuilder& line, const Origin& origin) {
  line.Key("origin").Open('{');
  if (origin.rank) line.Number("rank", *origin.rank);
  line.Text("host", origin.host);
  line.Number("pid", origin.pid);
  line.Text("started", origin.started);
  line.Number("window", origin.window.value());
  line.Close('}');
}

std::string Line(const Window& window) {
  LineBuilder line("window");
  line.Number("window", window.window.value());
  line.Text("kind", ToString(window.kind));
  line.Text("close", window.close == WindowClose::kLate ? "late" : "in_time");
  line.Number("device", window.device.value());
  line.Number("context", window.context.value());
  line.Number("first_launch", window.first_launch.value());
  line.Key("inside").Open('[');
  for (const LaunchesInside& inside : window.inside) {
    line.Open('{');
    AppendShape(line, inside.shape);
    line.Number("launches", inside.launches.count());
    if (!inside.arguments.empty()) {
      line.Key("arguments").Open('[');
      for (const LaunchArguments& arguments : inside.arguments) {
        line.Open('{');
        AppendFieldsOf(line, arguments);
        line.Close('}');
      }
      line.Close(']');
    }
    line.Close('}');
  }
  line.Close(']');
  line.Number("dropped_records", window.dropped_records);
  line.Key("functions").Open('[');
  for (const FunctionCounts& function : window.functions) AppendFunction(line, function);
  line.Close(']');
  if (window.sum_of > 0) line.Number("sum_of", window.sum_of);
  if (window.origin) AppendOrigin(line, *window.origin);
  return std::move(line).Finish();
}

std::string Line(const Tally& tally) {
  LineBuilder line("tally");
  AppendShape(line, tally.shape);
  line.Number("launches", tally.launches.count());
  line.Number("counted", tally.counted.count());
  line.Key("skipped").Open('[');
  for (const Skipped& skipped : tally.skipped) {
    line.Open('{');
    line.Text("reason", skipped.reason);
    line.Number("launches", skipped.launches.count());
    line.Close('}');
  }
  line.Close(']');
  return std::move(line).Finish();
}

std::string Line(const Uncounted& uncounted) {
  LineBuilder line("uncounted");
  line.Text("kernel", uncounted.kernel);
  line.Key("sets").Open('[');
  for (const UncountedSet& set : uncounted.sets) {
    line.Open('{');
    AppendDim3(line, "grid", set.grid);
    AppendDim3(line, "block", set.block);
    AppendFieldsOf(line, set.arguments);
    line.Close('}');
  }
  line.Close(']');
  line.Number("others", uncounted.others.count());
  return std::move(line).Finish();
}

std::string Line(const Loss& loss) {
  LineBuilder line("loss");
  line.Text("what", loss.what);
  line.Text("detail", loss.detail);
  line.Number("count", loss.count);
  if (!loss.ranks.empty()) AppendRanks(line, loss.ranks);
  return std::move(line).Finish();
}

std::string Line(const Unmatched& unmatched) {
  LineBuilder line("unmatched");
  line.Text("option", unmatched.option);
  line.Text("filter", unmatched.filter);
  AppendTexts(line, "nearest", unmatched.nearest);
  if (unmatched.processes != 1) line.Number("processes", unmatched.processes);
  return std::move(line).Finish();
}

std::string Line(const Cost& cost) {
  LineBuilder line("cost");
  line.Number("windows", cost.windows);
  line.Key("seconds").RealValue(cost.seconds);
  line.Key("elapsed").RealValue(cost.elapsed);
  line.Key("budget_percent").RealValue(cost.budget_percent);
  return std::move(line).Finish();
}

std::string Line(const PcSampling& sampling) {
  LineBuilder line("pc_sampling");
  line.Number("sampling", sampling.sampling.value());
  line.Number("device", sampling.device.value());
  line.Number("context", sampling.context.value());
  line.Number("period_cycles", sampling.period.count());
  line.Number("buffer_bytes", sampling.buffer.count());
  AppendTexts(line, "reasons", sampling.reasons);
  return std::move(line).Finish();
}

void AppendFunction(LineBuilder& line, const FunctionSamples& samples) {
  line.Open('{');
  AppendCubin(line, samples.cubin);
  line.Text("function", samples.function);
  line.Key("rows").Open('[');
  for (const SampleRow& row : samples.rows) {
    line.Open('[');
    line.NumberValue(row.pc.value());
    line.NumberValue(row.reason.value());
    line.NumberValue(row.samples.count());
    line.Close(']');
  }
  line.Close(']');
  line.Close('}');
}

std::string Line(const PcSamples& samples) {
  LineBuilder line("pc_samples");
  line.Number("sampling", samples.sampling.value());
  line.Number("dropped", samples.dropped.count());
  line.Number("elsewhere", samples.elsewhere.count());
  line.Number("unplaced", samples.unplaced.count());
  line.Key("functions").Open('[');
  for (const FunctionSamples& function : samples.functions) AppendFunction(line, function);
  line.Close(']');
  return std::move(line).Finish();
}

std::string Line(const Source& source) {
  LineBuilder line("source");
  line.Text("file", source.file);
  line.Number("first_line", source.first_line);
  line.Text("text", source.text);
  if (!source.shown_as.empty()) line.Text("shown_as", source.shown_as);
  if (!source.stack.empty()) line.Text("stack", source.stack);
  return std::move(line).Finish();
}

std::string Line(const End& end) {
  LineBuilder line("end");
  line.Text("reason", end.reason);
  line.Key("seconds").RealValue(end.seconds);
  if (end.before) {
    line.Key("before").Open('{');
    line.Key("records").Open('{');
    for (const auto& [kind, records] : end.before->records) line.Number(kind, records);
    line.Close('}');
    line.Text("hash", fmt::format("{:016x}", end.before->hash));
    line.Close('}');
  }
  return std::move(line).Finish();
}

std::string Line(const ProcessEnd& end) {
  LineBuilder line("process_end");
  line.Number("pid", end.pid);
  switch (end.kind) {
    case EndKind::kExit:
      line.Number("exit_code", end.number);
      break;
    case EndKind::kSignal:
      line.Number("signal", end.number);
      break;
    case EndKind::kExec:
      line.Key("exec").TrueValue();
      break;
  }
  return std::move(line).Finish();
}

}  // namespace

std::string_view KindOf(const Record& record) {
  constexpr std::array<std::string_view, std::variant_size_v<Record>> kKinds = {
      "header",    "device", "module",      "ranges",     "window", "tally", "uncounted",  "loss",
      "unmatched", "cost",   "pc_sampling", "pc_samples", "source", "end",   "process_end"};
  return kKinds[record.index()];
}

std::string ToJsonLine(const Record& record) noexcept {
  try {
    return std::visit([](const auto& alternative) { return Line(alternative); }, record);
  } catch (...) {
    return {};
  }
}

std::string ToJsonLine(const Window& window) noexcept {
  try {
    return Line(window);
  } catch (...) {
    return {};
  }
}

}  // namespace coalcheck::recording
