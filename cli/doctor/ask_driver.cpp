// SPDX-License-Identifier: Apache-2.0
//
// The child that asks libcuda which GPUs there are.
#include <array>
#include <nlohmann/json.hpp>

#include "cli/doctor/driver_calls.h"
#include "cli/doctor/vendor_probes.h"

namespace coalcheck::cli::doctor {
namespace {

using Json = nlohmann::ordered_json;

Json DescribeGpu(const DriverCalls& calls, int ordinal) {
  DriverDevice device = 0;
  std::array<char, 256> name{};
  int major = 0;
  int minor = 0;
  if (calls.device(&device, ordinal) == 0) {
    calls.device_name(name.data(), static_cast<int>(name.size()) - 1, device);
    calls.device_attribute(&major, kComputeMajor, device);
    calls.device_attribute(&minor, kComputeMinor, device);
  }
  return {{"ordinal", ordinal},
          {"name", std::string(name.data())},
          {"compute_major", major},
          {"compute_minor", minor}};
}

}  // namespace

std::string AskDriver() {
  Json answer = {{"library_found", false}, {"error", ""}, {"gpus", Json::array()}};
  const Result<DriverCalls> opened = OpenDriver();
  if (!opened.ok()) {
    answer["error"] = opened.error();
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  const DriverCalls& calls = opened.value();
  answer["library_found"] = true;
  answer["path"] = calls.path;
  int version = 0;
  if (calls.driver_version(&version) == 0) answer["cuda"] = version;
  int count = 0;
  if (const DriverResult result = calls.init(0); result != 0) {
    answer["error"] = "cuInit: " + calls.Name(result);
  } else if (calls.device_count(&count) == 0) {
    for (int i = 0; i < count; ++i) answer["gpus"].push_back(DescribeGpu(calls, i));
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace coalcheck::cli::doctor
