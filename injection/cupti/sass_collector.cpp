// SPDX-License-Identifier: Apache-2.0
//
// Calls of the SASS-metrics API, and the translation of its records.
#include "injection/cupti/sass_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "injection/agent/base/try_lock_for.h"
#include "injection/cupti/driver_calls.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::cupti {
namespace {

constexpr std::chrono::seconds kPreparationDeadline{2};
// The chip is too new for cuptiProfilerInitialize: SetConfig decides whether it can count. Headers
// before CUDA 13 lack the name.
constexpr auto kLegacyProfilerNotSupported = static_cast<CUptiResult>(38);

struct Counter {
  std::string_view name;  // the recording's word
  const char* metric;     // CUPTI's
  bool minimal;           // also collected under --metrics minimal
};

// `inst_executed_op_global` does not count cp.async, whose sectors the sector metrics do count, so
// its requests and lanes have counters of their own.
constexpr Counter kCounters[] = {
    {recording::kRequests, "smsp__sass_inst_executed_op_global", false},
    {recording::kLanes, "smsp__sass_thread_inst_executed_op_global_pred_on", false},
    {recording::kAsyncRequests, "smsp__sass_inst_executed_op_ldgsts", false},
    {recording::kAsyncLanes, "smsp__sass_thread_inst_executed_op_ldgsts_pred_on", false},
    {recording::kSectors, "smsp__sass_sectors_mem_global", true},
    {recording::kIdealSectors, "smsp__sass_sectors_mem_global_ideal", true},
    {recording::kCacheLines, "smsp__sass_l1tex_tags_mem_global", false},
};

std::vector<Counter> Selected(options::Metrics metrics) {
  std::vector<Counter> selected;
  for (const Counter& counter : kCounters) {
    if (counter.minimal || metrics == options::Metrics::kFull) selected.push_back(counter);
  }
  return selected;
}

}  // namespace

SassCollector::SassCollector(const Functions& functions, options::Metrics metrics)
    : functions_(functions), metrics_(metrics), counters_(Selected(metrics).size()) {}

std::vector<std::string> SassCollector::CounterNames() const {
  std::vector<std::string> names;
  for (const Counter& counter : Selected(metrics_)) names.emplace_back(counter.name);
  return names;
}

agent::Status SassCollector::Prepare(agent::ContextHandle context) {
  std::uint32_t device = 0;
  const CUptiResult result = functions_.cuptiGetDeviceId(ToCuda(context), &device);
  if (result != CUPTI_SUCCESS) return Failed("cuptiGetDeviceId", result);
  if (!agent::TryLockFor(mutex_, kPreparationDeadline)) {
    return Error{"another thread is still preparing the device"};
  }
  const MutexLock lock(mutex_, std::adopt_lock);
  if (configured_.contains(device)) return agent::Ok{};
  agent::Status initialized = Initialize();
  if (!initialized.ok()) return initialized;
  agent::Status configured = Configure(device);
  if (configured.ok()) configured_[device] = context;
  return configured;
}

SassCollector::Configured::iterator SassCollector::FindConfigured(agent::ContextHandle context) {
  return std::find_if(configured_.begin(), configured_.end(),
                      [context](const auto& entry) { return entry.second == context; });
}

bool SassCollector::CountsThrough(agent::ContextHandle context) {
  if (!agent::TryLockFor(mutex_, kPreparationDeadline)) return false;
  const MutexLock lock(mutex_, std::adopt_lock);
  return FindConfigured(context) != configured_.end();
}

void SassCollector::TakeDown(agent::ContextHandle context) {
  if (!agent::TryLockFor(mutex_, kPreparationDeadline)) return;
  const MutexLock lock(mutex_, std::adopt_lock);
  const auto found = FindConfigured(context);
  if (found == configured_.end()) return;
  CUpti_SassMetricsUnsetConfig_Params params{};
  params.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE;
  params.deviceIndex = found->first;
  static_cast<void>(functions_.cuptiSassMetricsUnsetConfig(&params));
  // The device stays in the map, so that it is not configured again.
  found->second = agent::ContextHandle(0);
}

agent::Status SassCollector::Initialize() {
  if (initialized_) return agent::Ok{};
  CUpti_Profiler_Initialize_Params params{};
  params.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  const CUptiResult result = functions_.cuptiProfilerInitialize(&params);
  const bool is_gone = result == CUPTI_ERROR_NOT_SUPPORTED || result == kLegacyProfilerNotSupported;
  if (result != CUPTI_SUCCESS && !is_gone) return Failed("cuptiProfilerInitialize", result);
  initialized_ = true;
  return agent::Ok{};
}

Result<std::uint64_t> SassCollector::MetricId(const char* chip, const std::string& metric) const {
  CUpti_SassMetrics_GetProperties_Params params{};
  params.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
  params.pChipName = chip;
  params.pMetricName = metric.c_str();
  const CUptiResult result = functions_.cuptiSassMetricsGetProperties(&params);
  if (result == CUPTI_SUCCESS) return params.metric.metricId;
  return Error{fmt::format("{} of {} on {}",
                           Describe(functions_, "cuptiSassMetricsGetProperties", result), metric,
                           chip)};
}

agent::Status SassCollector::Configure(std::uint32_t device) {
  CUpti_Device_GetChipName_Params chip{};
  chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  chip.deviceIndex = device;
  CUptiResult result = functions_.cuptiDeviceGetChipName(&chip);
  if (result != CUPTI_SUCCESS) return Failed("cuptiDeviceGetChipName", result);

  std::vector<CUpti_SassMetrics_Config> configs;
  for (const Counter& counter : Selected(metrics_)) {
    const Result<std::uint64_t> id = MetricId(chip.pChipName, counter.metric);
    if (!id.ok()) return Error{id.error()};
    column_of_metric_[id.value()] = configs.size();
    configs.push_back({id.value(), CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
  }
  CUpti_SassMetricsSetConfig_Params params{};
  params.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
  params.numOfMetricConfig = configs.size();
  params.pConfigs = configs.data();
  params.deviceIndex = device;
  result = functions_.cuptiSassMetricsSetConfig(&params);
  if (result != CUPTI_SUCCESS) return Failed("cuptiSassMetricsSetConfig", result);
  return agent::Ok{};
}

agent::Status SassCollector::Enable(agent::ContextHandle context) {
  CUpti_SassMetricsEnable_Params params{};
  params.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
  params.ctx = ToCuda(context);
  params.enableLazyPatching = 1;
  const CUptiResult result = functions_.cuptiSassMetricsEnable(&params);
  if (result != CUPTI_SUCCESS) return Failed("cuptiSassMetricsEnable", result);
  return agent::Ok{};
}

agent::InstructionCounts SassCollector::Convert(const CUpti_SassMetrics_Data& data,
                                                std::size_t slots, const Columns& columns) const {
  agent::InstructionCounts counts;
  counts.cubin_crc = data.cubinCrc;
  if (data.functionName != nullptr) counts.function = data.functionName;
  counts.pc = PcOffset(data.pcOffset);
  counts.values.resize(counters_);
  for (std::size_t i = 0; i < slots; ++i) {
    const auto column = columns.find(data.pInstanceValues[i].metricId);
    if (column != columns.end()) {
      counts.values[column->second] += data.pInstanceValues[i].value;
    }
  }
  return counts;
}

Result<std::vector<agent::InstructionCounts>> SassCollector::Flush(agent::ContextHandle context) {
  try {
    return FlushAll(context);
  } catch (...) {
    return Error{"out of memory for the counts"};  // the caller holds a gate that must be left
  }
}

Result<std::vector<agent::InstructionCounts>> SassCollector::FlushAll(
    agent::ContextHandle context) {
  CUpti_SassMetricsGetDataProperties_Params properties{};
  properties.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
  properties.ctx = ToCuda(context);
  CUptiResult result = functions_.cuptiSassMetricsGetDataProperties(&properties);
  if (result != CUPTI_SUCCESS) return Failed("cuptiSassMetricsGetDataProperties", result);
  const std::size_t records = properties.numOfPatchedInstructionRecords;
  const std::size_t instances = properties.numOfInstances;
  std::vector<agent::InstructionCounts> counts;
  if (records == 0) return counts;

  Columns columns;
  {
    if (!agent::TryLockFor(mutex_, kPreparationDeadline)) {
      return Error{"another thread is still preparing a device"};
    }
    const MutexLock lock(mutex_, std::adopt_lock);
    columns = column_of_metric_;
  }
  // One record holds every metric of one instruction. Slots that CUPTI leaves alone keep an id that
  // no metric has.
  const std::size_t slots = instances * counters_;
  std::vector<CUpti_SassMetrics_InstanceValue> values(records * slots, {~std::uint64_t{0}, 0});
  std::vector<CUpti_SassMetrics_Data> data(records);
  for (std::size_t i = 0; i < records; ++i) {
    data[i] = {};
    data[i].structSize = sizeof(CUpti_SassMetrics_Data);
    data[i].pInstanceValues = &values[i * slots];
  }
  CUpti_SassMetricsFlushData_Params flush{};
  flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
  flush.ctx = ToCuda(context);
  flush.numOfPatchedInstructionRecords = records;
  flush.numOfInstances = instances;
  flush.pMetricsData = data.data();
  result = functions_.cuptiSassMetricsFlushData(&flush);
  if (result != CUPTI_SUCCESS) return Failed("cuptiSassMetricsFlushData", result);
  counts.reserve(records);
  for (const CUpti_SassMetrics_Data& record : data) {
    counts.push_back(Convert(record, slots, columns));
    std::free(const_cast<char*>(record.functionName));  // CUPTI allocates it, the caller frees it
  }
  return counts;
}

Result<std::uint64_t> SassCollector::Disable(agent::ContextHandle context) {
  CUpti_SassMetricsDisable_Params params{};
  params.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
  params.ctx = ToCuda(context);
  const CUptiResult result = functions_.cuptiSassMetricsDisable(&params);
  if (result != CUPTI_SUCCESS) return Failed("cuptiSassMetricsDisable", result);
  return static_cast<std::uint64_t>(params.numOfDroppedRecords);
}

}  // namespace coalcheck::cupti
