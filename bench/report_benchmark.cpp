// SPDX-License-Identifier: Apache-2.0
//
// How long `coalcheck report` takes for a recording of 10^6 instruction records and 10 000
// findings, in each form, and how much memory. The targets are 3 s and 500 MB for a form, 1 s for
// the report.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "bench/spawned_command.h"
#include "cli/base/disk_source_text.h"
#include "cli/base/recordings.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/findings/sources/stored_code.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/recording/writer.h"

namespace coalcheck {
namespace {

constexpr std::uint64_t kWindows = 100;
constexpr std::uint64_t kAccesses = 10'000;

std::string ReadCubin() {
  std::ifstream stream(COALCHECK_WIDE_CUBIN, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Every access of the cubin wastes half of its sectors or more.
std::vector<recording::FunctionCounts> CountsOf(const cubin::Cubin& cubin, CubinId id,
                                                std::uint64_t window) {
  std::vector<recording::FunctionCounts> functions;
  for (const cubin::Function& function : cubin.functions()) {
    recording::FunctionCounts counts{id, std::string(function.name), {}};
    for (const cubin::GlobalAccess& access : function.accesses) {
      const std::uint64_t requests = 1000 + window;
      const std::uint64_t sectors = requests * (8 + access.pc.value() / 16 % 25);
      counts.rows.push_back(
          {access.pc, {requests, requests * 32, 0, 0, sectors, requests * 4, sectors}});
    }
    functions.push_back(std::move(counts));
  }
  return functions;
}

// A recording that is removed when the program ends; empty when it could not be made.
class Recording {
 public:
  Recording() {
    std::string folder = (std::filesystem::temp_directory_path() / "coalcheck-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return;
    parent_ = folder;
    const std::string content = ReadCubin();
    const absl::StatusOr<cubin::Cubin> cubin = cubin::Cubin::Parse(content);
    auto writer = recording::Writer::Create(folder + "/run.rec");
    if (!cubin.ok() || !writer.ok()) return;
    Fill(*cubin, content, *writer.value());
    path_ = folder + "/run.rec";
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() {
    std::error_code ignored;
    std::filesystem::remove_all(parent_, ignored);
  }

  const std::string& path() const { return path_; }

 private:
  static void Fill(const cubin::Cubin& cubin, const std::string& content,
                   recording::Writer& writer) {
    recording::Header header;
    header.counters = {"requests", "lanes",         "async_requests", "async_lanes",
                       "sectors",  "ideal_sectors", "lines"};
    writer.Append(header);
    const CubinId id = HashCubin(content);
    writer.StoreCubin(id, content);
    for (std::uint64_t i = 0; i < kWindows; ++i) {
      recording::Window window;
      window.window = WindowId(i + 1);
      for (const cubin::Function& function : cubin.functions()) {
        window.inside.push_back({{std::string(function.name), {}, {}}, Launches(1)});
      }
      window.functions = CountsOf(cubin, id, i);
      writer.Append(window);
    }
    writer.Append(recording::End{"exit", 1});
  }

  std::string parent_;
  std::string path_;
};

const std::string& RecordingPath() {
  static const Recording recording;
  return recording.path();
}

bool Missing(benchmark::State& state) {
  if (RecordingPath().empty()) state.SkipWithError("no " COALCHECK_WIDE_CUBIN ": build wide_cubin");
  return RecordingPath().empty();
}

findings::Report MakeReport(recording::RecordedRun run) {
  findings::Aggregate aggregate;
  findings::AddRun("run.rec", run, aggregate);
  cli::FolderCubins cubins(RecordingPath());
  findings::StoredCode code({&cubins});
  cli::DiskSourceText sources;
  const findings::PathMap no_map;
  const findings::SourceView source{{"/"}, no_map, sources};
  return findings::MakeReport(std::move(aggregate), code, source, {.scope = findings::Scope::kAll});
}

void ReadRecording(benchmark::State& state) {
  if (Missing(state)) return;
  for (auto _ : state) {
    const auto run = cli::ReadRecording(RecordingPath());
    benchmark::DoNotOptimize(run.ok());
  }
}
BENCHMARK(ReadRecording)->Unit(benchmark::kMillisecond);

// From the records in memory to the findings.
void FindInMemory(benchmark::State& state) {
  if (Missing(state)) return;
  const auto run = cli::ReadRecording(RecordingPath());
  std::size_t findings = 0;
  for (auto _ : state) {
    const findings::Report report = MakeReport(*run);
    findings = report.places.size();
  }
  if (findings != kAccesses) state.SkipWithError("the recording has not the findings it should");
  state.counters["findings"] = static_cast<double>(findings);
}
BENCHMARK(FindInMemory)->Unit(benchmark::kMillisecond);

// From the finished report to the bytes of a form.
void WriteForm(benchmark::State& state, output::Format format) {
  if (Missing(state)) return;
  const findings::Report report = MakeReport(*cli::ReadRecording(RecordingPath()));
  const verdict::Verdict verdict = verdict::Judge(report);
  std::size_t bytes = 0;
  for (auto _ : state) {
    cli::DiskSourceText sources;
    bytes = output::Written(format, {report, verdict, sources}).size();
  }
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}

void ReportCommand(benchmark::State& state, output::Format format) {
  if (Missing(state)) return;
  TimeCommand(state,
              {COALCHECK_COMMAND, "report", "--scope", "all", "--format",
               std::string(ToString(format)), RecordingPath()},
              /*expected=*/1);
}

void RegisterForms() {
  for (const output::Format format : output::AllFormats()) {
    const std::string name(ToString(format));
    benchmark::RegisterBenchmark(("WriteForm/" + name).c_str(), WriteForm, format)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("ReportCommand/" + name).c_str(), ReportCommand, format)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace
}  // namespace coalcheck

int main(int argc, char** argv) {
  coalcheck::RegisterForms();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
