// SPDX-License-Identifier: Apache-2.0
//
// The calls of a simulated program, and what its recording is held against.
#include "tests/support/simulated_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "injection/agent/process/process_facts.h"
#include "libcoalcheck/options/agent_options.h"
#include "libcoalcheck/recording/reader.h"
#include "tests/support/files.h"

namespace coalcheck::testing {
namespace {

using agent::ContextHandle;
using agent::GraphExecHandle;
using agent::GraphHandle;
using agent::StreamHandle;

options::AgentOptions Parse(const std::string& text) {
  Result<options::AgentOptions> parsed = options::ParseAgentOptions(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.value();
}

class Call final : public agent::LaunchCall {
 public:
  Call(const std::string& bytes, std::atomic<std::uint64_t>& read) : bytes_(bytes), read_(read) {}
  recording::LaunchArguments Arguments() const override {
    ++read_;
    return {.shared_memory = Bytes(0), .size = Bytes(bytes_.size()), .bytes = bytes_};
  }
  std::optional<agent::CalledWith> InPlace() const override {
    return agent::CalledWith{.block = bytes_.data(), .block_size = bytes_.size()};
  }
  // Those of the first launch of the function are asked for.
  std::optional<agent::ParameterLayout> Layout() const override {
    const auto size = static_cast<std::uint32_t>(bytes_.size());
    const auto kept = std::min<std::uint32_t>(size, recording::kMostArgumentBytes);
    return agent::ParameterLayout{{{0, kept}}, size};
  }

 private:
  const std::string& bytes_;
  std::atomic<std::uint64_t>& read_;
};

recording::Header Process() {
  recording::Header header = agent::DescribeProcess();
  header.counters = {"requests"};
  return header;
}

}  // namespace

SimulatedProgram::SimulatedProgram(agent::Clock& clock, const std::string& options)
    : clock_(clock),
      device_(clock),
      sampler_(device_, clock),
      options_(Parse("--sampling first --cost off --recording " + Recording() + " " + options)),
      agent_(std::make_unique<agent::Agent>(
          options_, Process(),
          agent::Dependencies{device_, sampler_, device_, device_, ranges_, sources_, clock})) {}

ContextHandle SimulatedProgram::CreateContext(std::uint32_t device, bool is_current) {
  const ContextHandle context(++last_handle_);
  const auto start = clock_.Now();
  agent_->CodeChangeBegins();
  const bool without_gate = WaitedTooLongSince(start);
  device_.CodeChangeBegins(without_gate);
  device_.PutOn(context, device);
  device_.CreateStream(context, kLegacyStream, StreamType::kBlocking);
  device_.CodeChangeEnds(without_gate);
  agent_->ContextCreated(context, {.device = DeviceIndex(device), .name = "GPU", .chip = "SIM"},
                         is_current);
  agent_->StreamCreated(context, kLegacyStream);
  agent_->CodeChangeEnds();
  return context;
}

void SimulatedProgram::DestroyContext(ContextHandle context) {
  const auto start = clock_.Now();
  agent_->CodeChangeBegins();  // its modules go, too
  agent_->ContextEnds(context);
  const bool in_time = clock_.Now() - start < options_.close_deadline;
  const bool without_gate = WaitedTooLongSince(start);
  device_.CodeChangeBegins(without_gate);
  device_.DestroyContext(context, in_time);
  device_.CodeChangeEnds(without_gate);
  agent_->CodeChangeEnds();
}

StreamHandle SimulatedProgram::CreateStream(ContextHandle context, StreamType type) {
  const StreamHandle stream(++last_handle_);
  device_.CreateStream(context, stream, type);
  agent_->StreamCreated(context, stream);
  return stream;
}

bool SimulatedProgram::WaitedTooLongSince(agent::Clock::TimePoint start) {
  const bool too_long = clock_.Now() - start >= agent::Deadlines(options_).Gate() ||
                        agent::AnnouncedChanges::IsBesideCounting();
  if (too_long) without_gate_ = true;
  return too_long;
}

void SimulatedProgram::Launch(ContextHandle context, StreamHandle stream,
                              const SimulatedLaunch& launch) {
  const std::string& name = launch.kernel.name;
  const Shape shape{name, launch.grid};
  const auto start = clock_.Now();
  const agent::FunctionHandle function = SimulatedDevice::FunctionOf(name);
  SimulatedDevice::MakeCurrent(context);
  const Call call(launch.kernel.arguments, arguments_read_);
  agent_->launches().Begin(context, stream,
                           {function, name, {launch.grid, 1, 1}, {32, 1, 1}, {}, &call});
  SimulatedKernel kernel = launch.kernel;
  kernel.without_gate = WaitedTooLongSince(start);
  kernel.grid = launch.grid;
  const bool captured = device_.IsCapturing(stream);
  if (launch.succeeds) device_.Launch(context, stream, kernel);
  if (!captured) {
    const std::lock_guard lock(mutex_);
    ++made_[shape];
  }
  agent_->launches().End(launch.succeeds, &call);
}

bool SimulatedProgram::BeginCapture(ContextHandle context, StreamHandle stream) {
  const auto start = clock_.Now();
  agent_->captures().Begins(context, stream);
  const bool without_gate = WaitedTooLongSince(start);
  const bool began = device_.BeginCapture(context, stream, without_gate);
  agent_->captures().Began(stream, began);
  return began;
}

std::optional<GraphHandle> SimulatedProgram::EndCapture(ContextHandle context,
                                                        StreamHandle stream) {
  const std::optional<GraphHandle> graph = device_.EndCapture(context, stream);
  agent_->captures().Ended(stream, graph.has_value());
  return graph;
}

std::optional<GraphExecHandle> SimulatedProgram::Instantiate(ContextHandle context,
                                                             std::optional<GraphHandle> graph,
                                                             bool uploads) {
  if (!graph) return std::nullopt;
  const auto start = clock_.Now();
  SimulatedDevice::MakeCurrent(context);
  agent_->graphs().InstantiateBegins(context, *graph, {.uploads = uploads});
  static_cast<void>(WaitedTooLongSince(start));
  const std::optional<GraphExecHandle> exec = device_.Instantiate(context, *graph);
  if (exec) {
    const std::lock_guard lock(mutex_);
    for (const auto& kernel : device_.ContentsOf(*graph).kernels) {
      execs_[*exec].emplace_back(kernel.name, kernel.grid.x);
    }
  }
  agent_->graphs().InstantiateEnds(exec);
  return exec;
}

void SimulatedProgram::LaunchGraph(ContextHandle context, StreamHandle stream, GraphExecHandle exec,
                                   bool succeeds) {
  const auto start = clock_.Now();
  SimulatedDevice::MakeCurrent(context);
  const GraphExecHandle launched = agent_->graphs().LaunchBegins(context, stream, exec);
  static_cast<void>(WaitedTooLongSince(start));
  if (succeeds) {
    device_.ExpectSameWork(exec, launched);
    device_.LaunchGraph(context, stream, launched);
    const std::lock_guard lock(mutex_);
    for (const Shape& shape : execs_[exec]) ++made_[shape];
  }
  agent_->graphs().LaunchEnds(succeeds);
}

void SimulatedProgram::ChangeCode(std::chrono::microseconds duration,
                                  agent::ContextHandle context) {
  const auto start = clock_.Now();
  agent_->CodeChangeBegins(context);
  const bool without_gate = WaitedTooLongSince(start);
  device_.CodeChangeBegins(without_gate);
  agent_->ModuleUnloads();
  clock_.Rest(duration);
  device_.CodeChangeEnds(without_gate);
  agent_->CodeChangeEnds();
}

void SimulatedProgram::Synchronise(ContextHandle context) {
  while (!device_.IsIdle(context)) clock_.Rest(std::chrono::microseconds(20));
  agent_->Synchronised(context);
}

recording::RecordedRun SimulatedProgram::End() {
  agent_->ProcessEnds("exit");
  return Read();
}

std::size_t SimulatedProgram::RecordingSize() const {
  return std::filesystem::file_size(Recording() + "/records.jsonl");
}

recording::RecordedRun SimulatedProgram::Read() const {
  absl::StatusOr<recording::RecordedRun> run =
      recording::ParseRecords(support::FileText(Recording() + "/records.jsonl"));
  EXPECT_TRUE(run.ok()) << run.status().ToString();
  if (!run.ok()) return {};
  EXPECT_TRUE(run->lost_lines.empty());
  return *std::move(run);
}

void SimulatedProgram::ExpectCountsOf(const recording::Window& window) {
  std::map<std::string, std::uint64_t> inside;
  for (const recording::LaunchesInside& each : window.inside) {
    inside[each.shape.kernel] += each.launches.count();
  }
  std::map<std::string, std::uint64_t> counted;
  for (const recording::FunctionCounts& function : window.functions) {
    for (const recording::CountRow& row : function.rows) {
      counted[function.function] += row.values.at(0);
    }
  }
  EXPECT_EQ(inside, counted) << ToString(window.kind) << " window " << window.window.value()
                             << (window.close == recording::WindowClose::kLate ? ", late" : "")
                             << ": the launches listed inside it are not those it counted";
}

void SimulatedProgram::ExpectArgumentsOf(const recording::Window& window) const {
  for (const recording::LaunchesInside& inside : window.inside) {
    Launches sum;
    for (const recording::LaunchArguments& each : inside.arguments) sum += each.launches;
    EXPECT_EQ(sum, options_.record_arguments ? inside.launches : Launches(0))
        << inside.shape.kernel << ": arguments of how many launches";
  }
}

void SimulatedProgram::ExpectTallies(const recording::RecordedRun& run) const {
  std::map<recording::LaunchShape, std::uint64_t> inside;
  for (const recording::Window& window : run.windows) {
    for (const auto& each : window.inside) inside[each.shape] += each.launches.count();
  }
  std::map<Shape, std::uint64_t> tallied;
  for (const recording::Tally& tally : run.tallies) {
    const Shape shape{tally.shape.kernel, tally.shape.grid.x};
    std::uint64_t sum = tally.counted.count();
    for (const recording::Skipped& skipped : tally.skipped) sum += skipped.launches.count();
    EXPECT_EQ(tally.launches.count(), sum) << shape.first << ": launches = counted + skipped";
    EXPECT_EQ(tally.counted.count(), inside[tally.shape])
        << shape.first << ": counted = inside windows";
    if (tally.launches != Launches(0)) tallied[shape] += tally.launches.count();
  }
  const std::lock_guard lock(mutex_);
  // A launch into a capture that was just broken is the program's, or the agent's, by a hair.
  if (device_.broke_a_capture()) return;
  EXPECT_EQ(tallied, made_) << "the launches in the tallies are not those that were made";
}

void SimulatedProgram::ExpectTrue(const recording::RecordedRun& run) const {
  std::string losses = "lost:";
  for (const recording::Loss& loss : run.losses)
    losses += " " + loss.what + ": " + loss.detail + ";";
  SCOPED_TRACE(losses);
  ExpectTallies(run);
  if (anything_without_gate()) return;
  for (const recording::Window& window : run.windows) {
    ExpectCountsOf(window);
    ExpectArgumentsOf(window);
  }
}

}  // namespace coalcheck::testing
