// SPDX-License-Identifier: Apache-2.0
//
// The doctor's side of the probes: children with a deadline, answers that are checked.
#include "cli/doctor/vendor_probes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/doctor/child.h"

namespace coalcheck::cli::doctor {
namespace {

using Parsed = nlohmann::json;

struct Answer {
  Parsed json = Parsed::object();
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
  Answer answer{Parsed::parse(child.out, nullptr, false), {}};
  if (!answer.json.is_object()) return {Parsed::object(), "asking it gave no answer"};
  return answer;
}

// The member if it has that type, else `otherwise`.
std::string Text(const Parsed& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
bool Flag(const Parsed& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}
std::optional<int> Number(const Parsed& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<int>();
}

}  // namespace

void ProbeDriver(const std::string& executable, coalcheck::doctor::DriverFacts& facts) {
  const Answer answer = Ask(executable, "driver");
  if (!answer.error.empty()) {
    facts.library_found = true;  // it was there to hang or crash
    facts.error = "libcuda.so.1: " + answer.error;
    return;
  }
  facts.library_found = Flag(answer.json, "library_found");
  facts.path = Text(answer.json, "path");
  facts.error = Text(answer.json, "error");
  if (const auto cuda = Number(answer.json, "cuda")) facts.cuda = {*cuda};
  const auto gpus = answer.json.find("gpus");
  if (gpus == answer.json.end() || !gpus->is_array()) return;
  for (const Parsed& gpu : *gpus) {
    if (!gpu.is_object()) continue;
    facts.gpus.push_back({Number(gpu, "ordinal").value_or(0), Text(gpu, "name"),
                          Number(gpu, "compute_major").value_or(0),
                          Number(gpu, "compute_minor").value_or(0)});
  }
}

void ProbeManagement(const std::string& executable, coalcheck::doctor::ManagementFacts& facts) {
  const Answer answer = Ask(executable, "management");
  facts.mig_gpus = Number(answer.json, "mig_gpus");
  facts.vgpu_gpus = Number(answer.json, "vgpu_gpus");
  if (answer.json.contains("confidential_computing")) {
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
