// SPDX-License-Identifier: Apache-2.0
//
// The doctor's side of the probes: children with a deadline, answers that are checked.
#include "cli/doctor/vendor_probes.h"

#include <fmt/format.h>

#include "cli/doctor/child.h"
#include "libcoalcheck/recording/parse_json.h"

namespace coalcheck::cli::doctor {
namespace {

using Parsed = rapidjson::Value;
using recording::FieldOf;

struct Answer {
  rapidjson::Document json;
  std::string error;  // why there is none
};

Answer Ask(const std::string& executable, const std::string& what) {
  const ChildResult child =
      RunChild({executable, "doctor-child", what},
               {{"CUDA_INJECTION64_PATH", {}}, {"NVTX_INJECTION64_PATH", {}}}, kProbeDeadline);
  if (!child.not_started.empty()) return {{}, "the probe cannot be started: " + child.not_started};
  if (child.timed_out) {
    return {{}, fmt::format("it did not answer in {} s", kProbeDeadline.count())};
  }
  if (child.signal != 0) return {{}, fmt::format("asking it ended with signal {}", child.signal)};
  Answer answer{recording::ParseJson(child.out), {}};
  if (!answer.json.IsObject()) answer.error = "asking it gave no answer";
  return answer;
}

// The field if it has that type; of an answer with an error there is none.
std::string Text(const Parsed& json, std::string_view name) {
  const Parsed* found = FieldOf(json, name);
  return std::string(found == nullptr ? "" : recording::TextOf(*found).value_or(""));
}
bool Flag(const Parsed& json, std::string_view name) {
  const Parsed* found = FieldOf(json, name);
  return found != nullptr && found->IsTrue();
}
std::optional<int> Number(const Parsed& json, std::string_view name) {
  const Parsed* found = FieldOf(json, name);
  return found != nullptr && found->IsInt() ? std::optional(found->GetInt()) : std::nullopt;
}

}  // namespace

void ProbeDriver(const std::string& executable, coalcheck::doctor::DriverFacts& facts) {
  const Answer answer = Ask(executable, "driver");
  if (!answer.error.empty()) {
    facts.library_found = true;  // the library hung or crashed, so it is there
    facts.error = "libcuda.so.1: " + answer.error;
    return;
  }
  facts.library_found = Flag(answer.json, "library_found");
  facts.path = Text(answer.json, "path");
  facts.error = Text(answer.json, "error");
  if (const auto cuda = Number(answer.json, "cuda")) facts.cuda = {*cuda};
  const Parsed* gpus = FieldOf(answer.json, "gpus");
  if (gpus == nullptr || !gpus->IsArray()) return;
  for (const Parsed& gpu : gpus->GetArray()) {
    if (!gpu.IsObject()) continue;
    facts.gpus.push_back({Number(gpu, "ordinal").value_or(0), Text(gpu, "name"),
                          Number(gpu, "compute_major").value_or(0),
                          Number(gpu, "compute_minor").value_or(0)});
  }
}

void ProbeManagement(const std::string& executable, coalcheck::doctor::ManagementFacts& facts) {
  const Answer answer = Ask(executable, "management");
  facts.mig_gpus = Number(answer.json, "mig_gpus");
  facts.vgpu_gpus = Number(answer.json, "vgpu_gpus");
  if (FieldOf(answer.json, "confidential_computing") != nullptr) {
    facts.confidential_computing = Flag(answer.json, "confidential_computing");
  }
  facts.confidential_developer_tools = Flag(answer.json, "confidential_developer_tools");
}

void ProbeCupti(const std::string& executable, coalcheck::doctor::CuptiFacts& facts) {
  const Answer answer = Ask(executable, "cupti");
  if (!answer.error.empty()) {
    facts.error = "libcupti: " + answer.error;
    return;
  }
  facts.found = Flag(answer.json, "found");
  facts.path = Text(answer.json, "path");
  facts.error = Text(answer.json, "error");
  facts.version = static_cast<std::uint32_t>(Number(answer.json, "version").value_or(0));
  facts.profiler_refusal = static_cast<int>(Number(answer.json, "profiler_refusal").value_or(0));
  facts.nvperf_path = Text(answer.json, "nvperf_path");
  facts.nvperf_version = Text(answer.json, "nvperf_version");
}

}  // namespace coalcheck::cli::doctor
