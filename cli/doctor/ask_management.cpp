// SPDX-License-Identifier: Apache-2.0
//
// The child that asks the driver's management library (NVML) what kind of GPU this is.
#include <dlfcn.h>

#include <nlohmann/json.hpp>

#include "cli/doctor/vendor_probes.h"

namespace coalcheck::cli::doctor {
namespace {

using Json = nlohmann::ordered_json;
using Management = void*;  // a handle of a GPU

constexpr unsigned kVirtualGpu = 2;  // NVML_GPU_VIRTUALIZATION_MODE_VGPU

struct ConfidentialState {  // nvmlConfComputeSystemState_t
  unsigned environment;
  unsigned feature;
  unsigned developer_tools;
};

template <typename... Parameters>
auto Load(void* library, const char* name) {
  return reinterpret_cast<int (*)(Parameters...)>(dlsym(library, name));
}

// Counts the GPUs for which `name` answers something that `counts` accepts. A GPU that does not
// know the question does not have the feature.
template <typename Accept>
int CountGpus(void* library, unsigned gpus, Accept accept) {
  const auto handle = Load<unsigned, Management*>(library, "nvmlDeviceGetHandleByIndex_v2");
  int count = 0;
  for (unsigned i = 0; handle != nullptr && i < gpus; ++i) {
    Management gpu = nullptr;
    if (handle(i, &gpu) == 0 && accept(gpu)) ++count;
  }
  return count;
}

void AskGpus(void* library, Json& answer) {
  const auto count = Load<unsigned*>(library, "nvmlDeviceGetCount_v2");
  unsigned gpus = 0;
  if (count == nullptr || count(&gpus) != 0) return;
  if (const auto mig = Load<Management, unsigned*, unsigned*>(library, "nvmlDeviceGetMigMode")) {
    answer["mig_gpus"] = CountGpus(library, gpus, [&](Management gpu) {
      unsigned now = 0;
      unsigned pending = 0;
      return mig(gpu, &now, &pending) == 0 && now != 0;
    });
  }
  if (const auto mode = Load<Management, unsigned*>(library, "nvmlDeviceGetVirtualizationMode")) {
    answer["vgpu_gpus"] = CountGpus(library, gpus, [&](Management gpu) {
      unsigned value = 0;
      return mode(gpu, &value) == 0 && value == kVirtualGpu;
    });
  }
}

void AskConfidentialComputing(void* library, Json& answer) {
  const auto state = Load<ConfidentialState*>(library, "nvmlSystemGetConfComputeState");
  ConfidentialState now{};
  if (state == nullptr || state(&now) != 0) return;
  answer["confidential_computing"] = now.feature != 0;
  answer["confidential_developer_tools"] = now.developer_tools != 0;
}

}  // namespace

std::string AskManagement() {
  Json answer = Json::object();
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto init = library == nullptr ? nullptr : Load<>(library, "nvmlInit_v2");
  if (init != nullptr && init() == 0) {
    AskGpus(library, answer);
    AskConfidentialComputing(library, answer);
  }
  return answer.dump();
}

}  // namespace coalcheck::cli::doctor
