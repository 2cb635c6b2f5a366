// SPDX-License-Identifier: Apache-2.0
//
// Runs the child under the agent and reads its recording.
#include "cli/doctor/self_test.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <sstream>

#include "cli/base/disk_source_text.h"
#include "cli/base/recordings.h"
#include "cli/doctor/child.h"
#include "cli/launch/environment.h"
#include "libcoalcheck/base/shell_word.h"
#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/findings/sources/stored_code.h"
#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli::doctor {
namespace {

namespace fs = std::filesystem;
using coalcheck::doctor::SelfTestFacts;

constexpr std::string_view kPrefix = "coalcheck: ";

class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& parent) : path_(parent + "/coalcheck-doctor-XXXXXX") {
    made_ = mkdtemp(path_.data()) != nullptr;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (made_) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  bool made() const { return made_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

// The lines that the agent wrote, joined.
std::string AgentLines(const std::string& err) {
  std::string said;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kPrefix)) continue;
    said += (said.empty() ? "" : "; ") + line.substr(kPrefix.size());
  }
  return said;
}

findings::Report MakeReport(const std::string& folder, const recording::RecordedRun& run) {
  findings::Aggregate aggregate;
  findings::AddRun(folder, run, aggregate);
  FolderCubins cubins(folder);
  findings::StoredCode code({&cubins});
  DiskSourceText sources;
  const findings::SourceView source{{""}, {}, sources};
  return findings::MakeReport(
      std::move(aggregate), code, source,
      {.min_wasted_share = options::DefaultNumberOf("min-wasted-share") / 100,
       .scope = findings::Scope::kAll});
}

void ReadCounts(const std::string& folder, SelfTestFacts& facts) {
  const absl::StatusOr<recording::RecordedRun> run = ReadRecording(folder);
  if (!run.ok()) {
    facts.unreadable = "nothing was recorded";
    return;
  }
  for (const recording::Loss& loss : run->losses) {
    if (facts.agent_said.find(loss.detail) != std::string::npos) continue;
    facts.agent_said +=
        fmt::format("{}{}: {}", facts.agent_said.empty() ? "" : "; ", loss.what, loss.detail);
  }
  for (const findings::Access& access : MakeReport(folder, *run).accesses) {
    facts.counts.push_back({access.kernel, access.kind == cubin::AccessKind::kStore,
                            access.counts.requests.count(), access.counts.sectors.count(),
                            access.counts.ideal.count(), access.shown.has_value()});
  }
}

}  // namespace

SelfTestFacts TestGpu(const std::string& executable, const std::string& agent,
                      const std::string& temporary_folder, int gpu, std::chrono::seconds deadline) {
  SelfTestFacts facts;
  facts.gpu = gpu;
  facts.deadline_seconds = static_cast<int>(deadline.count());
  const ScratchFolder scratch(temporary_folder);
  if (!scratch.made()) {
    facts.failure = fmt::format("no folder can be made in {}", temporary_folder);
    return facts;
  }
  const std::string recording = scratch.path() + "/recording";
  const ChildResult child =
      RunChild({executable, "doctor-child", "kernels", std::to_string(gpu)},
               {{"CUDA_INJECTION64_PATH", agent},
                {"NVTX_INJECTION64_PATH", {}},
                {"CUDA_CACHE_DISABLE", "1"},
                {"COALCHECK_OPTIONS",
                 "--no-report --sampling all --recording " + QuoteForShell(AsTemplate(recording))}},
               deadline);
  facts.timed_out = child.timed_out;
  facts.exit_code = child.exit_code;
  facts.signal = child.signal;
  facts.failure =
      child.not_started.empty() ? child.out : "it cannot be started: " + child.not_started;
  facts.agent_said = AgentLines(child.err);
  ReadCounts(recording, facts);
  return facts;
}

}  // namespace coalcheck::cli::doctor
