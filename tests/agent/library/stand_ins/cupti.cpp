// SPDX-License-Identifier: Apache-2.0
//
// libcupti.so.13 for tests: one subscriber, and SASS metrics that count what the stand-in for the
// driver launched. The n-th metric counts 128 halved n times per launch.
#include <cupti_pcsampling.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "tests/agent/library/stand_ins/stand_in.h"

#define STAND_IN extern "C" __attribute__((visibility("default")))

using namespace coalcheck::stand_in;

namespace {

CUptiResult Programmed(const char* name) { return static_cast<CUptiResult>(Number(name, 0)); }

std::vector<std::uint64_t>& Metrics() {
  static auto* metrics = new std::vector<std::uint64_t>;
  return *metrics;
}
std::uint64_t last_metric = 0;

struct Row {
  std::string kernel;
  std::uint32_t pc = 0;
  std::vector<std::uint64_t> values;  // of each metric
};

// The rows that STAND_IN_ROWS has for that kernel; empty when it is not set.
std::vector<Row> GivenRows(const std::string& kernel, std::uint64_t launches) {
  const char* given = std::getenv("STAND_IN_ROWS");
  std::vector<Row> rows;
  std::istringstream lines(given == nullptr ? "" : given);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Row row;
    words >> row.kernel >> row.pc;
    for (std::uint64_t value = 0; words >> value;) row.values.push_back(value * launches);
    row.values.resize(Metrics().size());
    if (row.kernel == kernel) rows.push_back(row);
  }
  return rows;
}

// What a flush has to give.
std::vector<Row> Rows() {
  std::vector<Row> rows;
  for (const auto& [kernel, launches] : StandInState().counted_launches) {
    std::vector<Row> given = GivenRows(kernel, launches);
    if (given.empty()) {
      given.push_back({kernel, static_cast<std::uint32_t>(Number("STAND_IN_PC", 16)), {}});
      for (const std::uint64_t metric : Metrics()) {
        given[0].values.push_back((128U >> metric) * launches);
      }
    }
    rows.insert(rows.end(), given.begin(), given.end());
  }
  return rows;
}

}  // namespace

STAND_IN CUptiResult cuptiGetVersion(std::uint32_t* version) {
  *version = 130001;
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  *text = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                                                        : "CUPTI_ERROR_OF_THE_TEST";
  return CUPTI_SUCCESS;
}

STAND_IN CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                                    void* user) {
  const CUptiResult result = Programmed("STAND_IN_SUBSCRIBE");
  if (result != CUPTI_SUCCESS) return result;
  StandInState().callback = callback;
  StandInState().user = user;
  *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(0xe0);
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber,
                                       CUpti_CallbackFunc callback, void* user,
                                       CUpti_SubscriberParams* params) {
  const CUptiResult result = cuptiSubscribe(subscriber, callback, user);
  if (result != CUPTI_SUCCESS && params->oldSubscriberName != nullptr) {
    std::strncpy(params->oldSubscriberName, "the-other-profiler", params->oldSubscriberSize);
  }
  return result;
}
STAND_IN CUptiResult cuptiEnableCallback(std::uint32_t, CUpti_SubscriberHandle,
                                         CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const bool is_known = domain != CUPTI_CB_DOMAIN_DRIVER_API ||
                        id < static_cast<CUpti_CallbackId>(
                                 Number("STAND_IN_KNOWN_CALLBACKS", CUPTI_DRIVER_TRACE_CBID_SIZE));
  return is_known ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
STAND_IN CUptiResult cuptiGetDeviceId(CUcontext, std::uint32_t* device) {
  *device = 0;
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params*) {
  return Programmed("STAND_IN_PROFILER_INITIALIZE");
}
STAND_IN CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* params) {
  params->pChipName = "GH100";
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiRegisterComputeCrcCallback(CUpti_ComputeCrcCallbackFunc callback) {
  StandInState().crc_of = callback;
  return CUPTI_SUCCESS;
}

STAND_IN CUptiResult cuptiSassMetricsGetProperties(CUpti_SassMetrics_GetProperties_Params* params) {
  params->metric.metricId = ++last_metric;
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiSassMetricsUnsetConfig(CUpti_SassMetricsUnsetConfig_Params*) {
  return CUPTI_SUCCESS;
}

STAND_IN CUptiResult cuptiSassMetricsSetConfig(CUpti_SassMetricsSetConfig_Params* params) {
  for (std::size_t i = 0; i < params->numOfMetricConfig; ++i) {
    Metrics().push_back(params->pConfigs[i].metricId);
  }
  return Programmed("STAND_IN_SET_CONFIG");
}
STAND_IN CUptiResult cuptiSassMetricsEnable(CUpti_SassMetricsEnable_Params*) {
  const CUptiResult result = Programmed("STAND_IN_ENABLE");
  StandInState().counting = result == CUPTI_SUCCESS;
  ++StandInState().counting_since;
  return result;
}
STAND_IN CUptiResult cuptiSassMetricsDisable(CUpti_SassMetricsDisable_Params* params) {
  params->numOfDroppedRecords = StandInState().counted_launches.size();
  StandInState().counted_launches.clear();
  StandInState().counting = false;
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult
cuptiSassMetricsGetDataProperties(CUpti_SassMetricsGetDataProperties_Params* params) {
  params->numOfPatchedInstructionRecords = Rows().size();
  params->numOfInstances = 1;
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiSassMetricsFlushData(CUpti_SassMetricsFlushData_Params* params) {
  const CUptiResult result = Programmed("STAND_IN_FLUSH");
  if (result != CUPTI_SUCCESS) return result;
  CUpti_SassMetrics_Data* data = params->pMetricsData;
  for (const Row& row : Rows()) {
    data->cubinCrc = static_cast<std::uint32_t>(StandInState().cubin_crc);
    data->functionName = strdup(row.kernel.c_str());
    data->pcOffset = row.pc;
    for (std::size_t i = 0; i < Metrics().size(); ++i) {
      data->pInstanceValues[i] = {Metrics()[i], row.values[i]};
    }
    ++data;
  }
  StandInState().counted_launches.clear();
  return CUPTI_SUCCESS;
}
