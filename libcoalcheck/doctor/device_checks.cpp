// SPDX-License-Identifier: Apache-2.0
//
// Judgements on the driver and on what kind of GPU it drives.
#include <fmt/format.h>

#include "libcoalcheck/base/cupti_errors.h"
#include "libcoalcheck/doctor/checks.h"

namespace coalcheck::doctor {
namespace {

constexpr int kLowestMajor = 7;
constexpr int kLowestMinor = 5;

std::string Describe(const Gpu& gpu) {
  return fmt::format("GPU {} {} (sm_{}{})", gpu.ordinal, gpu.name, gpu.compute_major,
                     gpu.compute_minor);
}

// A state of the GPU that CUPTI may refuse, with the number it then gives.
Check Restricted(std::string id, std::string title, State state, std::string what, int cupti_error,
                 std::vector<std::string> remedies) {
  return {std::move(id), std::move(title), state,
          fmt::format("{}; CUPTI may refuse it with error {}: {}", what, cupti_error,
                      ExplainCuptiError(cupti_error)),
          std::move(remedies)};
}

}  // namespace

bool IsSupported(const Gpu& gpu) {
  return gpu.compute_major > kLowestMajor ||
         (gpu.compute_major == kLowestMajor && gpu.compute_minor >= kLowestMinor);
}

Check CheckDriver(const Facts& facts) {
  const DriverFacts& driver = facts.driver;
  Check check{"driver", "driver", State::kProblem, driver.error, {}};
  if (!driver.library_found) {
    if (check.message.empty()) check.message = "libcuda.so.1 was not found";
    check.remedies = {"install NVIDIA's driver for this GPU"};
    if (facts.surroundings.container) {
      check.remedies = {"give the container the GPU: docker run --gpus all …",
                        "install NVIDIA's driver and nvidia-container-toolkit on the host"};
    }
    return check;
  }
  if (!driver.error.empty()) {
    check.remedies = {"nvidia-smi tells more; a driver that was just updated needs a restart"};
    return check;
  }
  const CudaVersion cuda = driver.cuda.value_or(CudaVersion{});
  check.state = State::kOk;
  check.message =
      fmt::format("{}CUDA {}.{}, {}", driver.release.empty() ? "" : driver.release + ", ",
                  cuda.Major(), cuda.Minor(), driver.path);
  return check;
}

Check CheckGpus(const Facts& facts) {
  Check check{"gpu", "GPU", State::kOk, {}, {}};
  std::size_t supported = 0;
  for (const Gpu& gpu : facts.driver.gpus) {
    supported += IsSupported(gpu) ? 1 : 0;
    check.message += fmt::format("{}{}{}", check.message.empty() ? "" : "; ", Describe(gpu),
                                 IsSupported(gpu) ? "" : " is older than sm_75");
  }
  if (facts.driver.gpus.empty()) {
    check.state = State::kProblem;
    check.message = "the driver shows no GPU";
    if (!facts.driver.library_found) check.message = "no GPU can be seen without the driver";
    if (facts.driver.library_found) {
      check.remedies = {"look at CUDA_VISIBLE_DEVICES, and at what the container was given"};
    }
  } else if (supported < facts.driver.gpus.size()) {
    check.state = supported == 0 ? State::kProblem : State::kWarning;
    check.remedies = {"SASS metrics need sm_75 (Turing) or newer"};
  }
  return check;
}

Check CheckMig(const Facts& facts) {
  const std::optional<int>& divided = facts.management.mig_gpus;
  if (!divided) return {"mig", "MIG", State::kUnknown, "the driver was not asked", {}};
  if (*divided == 0) return {"mig", "MIG", State::kOk, "no GPU is divided", {}};
  return Restricted("mig", "MIG", State::kWarning, fmt::format("{} GPU(s) are divided", *divided),
                    kCuptiMig, {"where it refuses: use an undivided GPU (nvidia-smi -mig 0)"});
}

Check CheckVirtualGpu(const Facts& facts) {
  const std::optional<int>& virtual_gpus = facts.management.vgpu_gpus;
  if (!virtual_gpus) return {"vgpu", "vGPU", State::kUnknown, "the driver was not asked", {}};
  if (*virtual_gpus == 0) return {"vgpu", "vGPU", State::kOk, "no GPU is virtual", {}};
  return Restricted("vgpu", "vGPU", State::kWarning,
                    fmt::format("{} GPU(s) are virtual", *virtual_gpus),
                    kCuptiVirtualizedPrivileges,
                    {"where it refuses: ask the administrator to set enable_profiling=1 for it"});
}

Check CheckConfidentialComputing(const Facts& facts) {
  Check check{"confidential_computing", "confidential computing", State::kOk, "off", {}};
  if (!facts.management.confidential_computing) {
    check.state = State::kUnknown;
    check.message = "the driver was not asked, or does not say";
  } else if (*facts.management.confidential_computing) {
    const bool tools = facts.management.confidential_developer_tools;
    return Restricted(check.id, check.title, tools ? State::kWarning : State::kProblem,
                      tools ? "on, in developer-tools mode" : "on", kCuptiConfidentialComputing,
                      {"profile on a GPU without it, or in its developer-tools mode"});
  }
  return check;
}

Check CheckWsl(const Facts& facts) {
  if (!facts.surroundings.wsl) return {"wsl", "WSL", State::kOk, "not in WSL", {}};
  return Restricted("wsl", "WSL", State::kWarning, "Linux runs inside Windows", kCuptiWsl,
                    {"allow all users the counters: NVIDIA control panel, Developer, Manage GPU "
                     "Performance Counters"});
}

}  // namespace coalcheck::doctor
