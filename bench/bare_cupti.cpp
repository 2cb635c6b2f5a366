// SPDX-License-Identifier: Apache-2.0
//
// What CUPTI costs by itself: an injection that does nothing with it. BARE_CUPTI says how much is
// switched on: `subscribe`; `modules`, with the resource callbacks; `launches`, with those of
// launches, too; `profiler`, with cuptiProfilerInitialize; `config`, with the SASS metrics set up,
// and no window ever opened; `windows`, with the first launch of each kernel counted, by its name.
//
// The target bench_programs builds it; by hand:
//
//   g++ -std=c++20 -O2 -shared -fPIC bench/bare_cupti.cpp -o bare_cupti.so -lcupti
//   BARE_CUPTI=config CUDA_INJECTION64_PATH=$PWD/bare_cupti.so ./app
#include <cupti.h>
#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

const char* const kMetrics[] = {
    "smsp__sass_inst_executed_op_global", "smsp__sass_thread_inst_executed_op_global_pred_on",
    "smsp__sass_inst_executed_op_ldgsts", "smsp__sass_thread_inst_executed_op_ldgsts_pred_on",
    "smsp__sass_sectors_mem_global",      "smsp__sass_sectors_mem_global_ideal",
    "smsp__sass_l1tex_tags_mem_global",
};

// Whether BARE_CUPTI reaches as far as `stage`.
bool Wants(std::string_view stage) {
  constexpr std::string_view kStages[] = {"subscribe", "modules", "launches",
                                          "profiler",  "config",  "windows"};
  const char* named = std::getenv("BARE_CUPTI");
  const auto* chosen =
      std::find(std::begin(kStages), std::end(kStages), named == nullptr ? "" : named);
  return std::find(std::begin(kStages), std::end(kStages), stage) <= chosen &&
         chosen != std::end(kStages);
}

void Initialize() {
  CUpti_Profiler_Initialize_Params initialize{CUpti_Profiler_Initialize_Params_STRUCT_SIZE,
                                              nullptr};
  cuptiProfilerInitialize(&initialize);
}

void Configure() {
  CUpti_Device_GetChipName_Params chip{CUpti_Device_GetChipName_Params_STRUCT_SIZE, nullptr, 0,
                                       nullptr};
  cuptiDeviceGetChipName(&chip);
  std::vector<CUpti_SassMetrics_Config> configs;
  for (const char* name : kMetrics) {
    CUpti_SassMetrics_GetProperties_Params metric{};
    metric.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
    metric.pChipName = chip.pChipName;
    metric.pMetricName = name;
    cuptiSassMetricsGetProperties(&metric);
    configs.push_back({metric.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
  }
  CUpti_SassMetricsSetConfig_Params set{};
  set.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
  set.numOfMetricConfig = configs.size();
  set.pConfigs = configs.data();
  cuptiSassMetricsSetConfig(&set);
}

void Enable(CUcontext context) {
  CUpti_SassMetricsEnable_Params enable{};
  enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
  enable.ctx = context;
  enable.enableLazyPatching = 1;
  cuptiSassMetricsEnable(&enable);
}

// Takes the counts, as a tool has to, and ends counting.
void Disable(CUcontext context) {
  CUpti_SassMetricsGetDataProperties_Params size{};
  size.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
  size.ctx = context;
  cuptiSassMetricsGetDataProperties(&size);
  const std::size_t slots = size.numOfInstances * std::size(kMetrics);
  std::vector<CUpti_SassMetrics_Data> records(size.numOfPatchedInstructionRecords);
  std::vector<CUpti_SassMetrics_InstanceValue> values(records.size() * slots);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i] = {};
    records[i].structSize = sizeof(CUpti_SassMetrics_Data);
    records[i].pInstanceValues = &values[i * slots];
  }
  CUpti_SassMetricsFlushData_Params flush{};
  flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
  flush.ctx = context;
  flush.numOfPatchedInstructionRecords = records.size();
  flush.numOfInstances = size.numOfInstances;
  flush.pMetricsData = records.data();
  cuptiSassMetricsFlushData(&flush);
  for (const CUpti_SassMetrics_Data& record : records) {
    std::free(const_cast<char*>(record.functionName));
  }
  CUpti_SassMetricsDisable_Params disable{};
  disable.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
  disable.ctx = context;
  cuptiSassMetricsDisable(&disable);
}

// By the libcuda that the process has.
void Synchronise() {
  static const auto synchronise = reinterpret_cast<CUresult (*)()>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), "cuCtxSynchronize"));
  synchronise();
}

// In a program of one thread.
void CountFirstLaunches(const CUpti_CallbackData& call) {
  static std::set<std::string> counted;
  static bool is_open = false;
  if (call.callbackSite == CUPTI_API_ENTER) {
    is_open = counted.insert(call.symbolName == nullptr ? "" : call.symbolName).second;
    if (!is_open) return;
    Synchronise();
    Enable(call.context);
  } else if (is_open) {
    Synchronise();
    Disable(call.context);
    is_open = false;
  }
}

void CUPTIAPI OnCallback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* data) {
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    if (!Wants("windows") || id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch) return;
    return CountFirstLaunches(*static_cast<const CUpti_CallbackData*>(data));
  }
  const bool created =
      domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED;
  if (created && Wants("profiler")) Initialize();
  if (created && Wants("config")) Configure();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  CUpti_SubscriberHandle subscriber = nullptr;
  cuptiSubscribe(&subscriber, OnCallback, nullptr);
  if (Wants("modules")) {
    for (const CUpti_CallbackId id :
         {CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_MODULE_LOADED,
          CUPTI_CBID_RESOURCE_MODULE_PROFILED}) {
      cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, id);
    }
  }
  if (Wants("launches")) {
    for (const CUpti_CallbackId id :
         {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
          CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch}) {
      cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
    }
  }
  return 1;
}
