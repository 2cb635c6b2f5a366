// SPDX-License-Identifier: Apache-2.0
//
// The names of CUPTI's functions that the agent cannot do without. No header of CUPTI's is needed,
// so that the command can look for them too.
#pragma once

#define COALCHECK_CUPTI_FUNCTIONS(X)   \
  X(cuptiGetVersion)                   \
  X(cuptiGetResultString)              \
  X(cuptiSubscribe)                    \
  X(cuptiEnableCallback)               \
  X(cuptiGetDeviceId)                  \
  X(cuptiProfilerInitialize)           \
  X(cuptiDeviceGetChipName)            \
  X(cuptiRegisterComputeCrcCallback)   \
  X(cuptiSassMetricsGetProperties)     \
  X(cuptiSassMetricsSetConfig)         \
  X(cuptiSassMetricsUnsetConfig)       \
  X(cuptiSassMetricsEnable)            \
  X(cuptiSassMetricsDisable)           \
  X(cuptiSassMetricsGetDataProperties) \
  X(cuptiSassMetricsFlushData)

// Those it can do without: without them nothing is sampled.
#define COALCHECK_CUPTI_SAMPLING_FUNCTIONS(X) \
  X(cuptiPCSamplingEnable)                    \
  X(cuptiPCSamplingDisable)                   \
  X(cuptiPCSamplingGetNumStallReasons)        \
  X(cuptiPCSamplingGetStallReasons)           \
  X(cuptiPCSamplingSetConfigurationAttribute) \
  X(cuptiPCSamplingGetData)
