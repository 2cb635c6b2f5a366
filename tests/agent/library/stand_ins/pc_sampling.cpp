// SPDX-License-Identifier: Apache-2.0
//
// PC sampling of the libcupti.so.13 for tests. Once it is enabled, the first reading brings ten
// samples of the kernel "spread" at STAND_IN_PC, and ending it five more; three are never placed.
#include <cupti_pcsampling.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tests/agent/library/stand_ins/stand_in.h"

#define STAND_IN extern "C" __attribute__((visibility("default")))

using namespace coalcheck::stand_in;

namespace {

// Numbers and order as no table would have them; each sample is counted by its twin, too.
constexpr std::uint32_t kReasons[] = {15, 0, 14};
constexpr const char* kNames[] = {"stalled_long_scoreboard_not_issued", "smsp__pcsamp_sample_count",
                                  "stalled_long_scoreboard"};

CUpti_PCSamplingData* configured = nullptr;
bool was_read = false;
// One for all records, which nobody may free.
char* const kernel = strdup("spread");

void Give(CUpti_PCSamplingData& data, std::uint32_t samples) {
  CUpti_PCSamplingPCData& record = data.pPcData[0];
  record.cubinCrc = StandInState().cubin_crc;
  record.pcOffset = Number("STAND_IN_PC", 16);
  record.functionName = kernel;
  record.stallReasonCount = 2;
  record.stallReason[0] = {14, samples};
  record.stallReason[1] = {15, samples - 1};
  data.totalNumPcs = 1;
  data.totalSamples = samples;
}

}  // namespace

STAND_IN CUptiResult cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams*) {
  was_read = false;
  return static_cast<CUptiResult>(Number("STAND_IN_PC_SAMPLING", 0));
}
STAND_IN CUptiResult
cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams* params) {
  *params->numStallReasons = 3;
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams* params) {
  const std::size_t count = std::min<std::size_t>(params->numStallReasons, std::size(kReasons));
  for (std::size_t i = 0; i < count; ++i) {
    params->stallReasonIndex[i] = kReasons[i];
    std::strncpy(params->stallReasons[i], kNames[i], CUPTI_STALL_REASON_STRING_SIZE - 1);
  }
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult
cuptiPCSamplingSetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams* params) {
  for (std::size_t i = 0; i < params->numAttributes; ++i) {
    const CUpti_PCSamplingConfigurationInfo& info = params->pPCSamplingConfigurationInfo[i];
    if (info.attributeType != CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER) {
      continue;
    }
    configured = static_cast<CUpti_PCSamplingData*>(
        info.attributeData.samplingDataBufferData.samplingDataBuffer);
  }
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams* params) {
  if (was_read) return CUPTI_SUCCESS;
  was_read = true;
  Give(*static_cast<CUpti_PCSamplingData*>(params->pcSamplingData), 10);
  return CUPTI_SUCCESS;
}
STAND_IN CUptiResult cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams*) {
  if (configured == nullptr) return CUPTI_SUCCESS;
  Give(*configured, 5);
  configured->totalSamples += 3;
  return CUPTI_SUCCESS;
}
