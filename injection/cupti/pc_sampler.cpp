// SPDX-License-Identifier: Apache-2.0
//
// Calls of the PC-sampling API.
#include "injection/cupti/pc_sampler.h"

#include <array>
#include <utility>

#include "injection/cupti/driver_calls.h"
#include "injection/cupti/pc_sample_buffer.h"

namespace coalcheck::cupti {
namespace {

// Instructions for which a buffer has room: 4096 with some 40 reasons take 1.7 MB.
constexpr std::size_t kInstructions = 4096;

// Whether a reason counts samples that no other reason counts. Each reason has a twin for the
// samples in which no other warp went on either, and some reasons are sums of others.
bool CountsOnce(std::string_view reason) {
  return !reason.ends_with("_not_issued") && !reason.ends_with("_sample_count") &&
         !reason.ends_with("_samples_data_dropped");
}

template <typename Params>
Params ParamsFor(std::size_t size, agent::ContextHandle context) {
  Params params{};
  params.size = size;
  params.ctx = ToCuda(context);
  return params;
}

CUpti_PCSamplingConfigurationInfo Attribute(CUpti_PCSamplingConfigurationAttributeType type) {
  CUpti_PCSamplingConfigurationInfo info{};
  info.attributeType = type;
  return info;
}

}  // namespace

struct PcSampler::State {
  std::shared_ptr<agent::GpuClaim> claim;
  StallReasons reasons;
  std::unique_ptr<PcSampleBuffer> configured;  // what Disable writes to
  std::unique_ptr<PcSampleBuffer> read;
};

PcSampler::PcSampler(const Functions& functions, const DriverDevice& device)
    : functions_(functions), device_(device) {}

PcSampler::~PcSampler() = default;

std::optional<Bytes> PcSampler::FreeMemory(agent::ContextHandle context) {
  return device_.FreeMemory(context);
}

Result<std::vector<std::string>> PcSampler::Begin(agent::ContextHandle context,
                                                  options::SamplePeriod period, Bytes buffer) {
  if (functions_.cuptiPCSamplingGetData == nullptr) {
    return Error{"this libcupti has no PC sampling"};
  }
  try {
    // A context went while it was sampled, and a new one got its handle.
    if (auto old = states_.extract(context)) discarded_.push_back(std::move(old.mapped()));
    Result<std::vector<std::string>> reasons = Set(context, period, buffer);
    if (!reasons.ok()) states_.erase(context);
    return reasons;
  } catch (...) {
    return Error{"out of memory"};
  }
}

Result<std::vector<std::string>> PcSampler::Set(agent::ContextHandle context,
                                                options::SamplePeriod period, Bytes buffer) {
  const std::optional<std::string> gpu = device_.BusId(context);
  if (!gpu) return Error{"the driver does not say which GPU this is"};
  Result<std::shared_ptr<agent::GpuClaim>> claim = claims_.Take(*gpu);
  if (!claim.ok()) return Error{claim.error()};
  auto enable = ParamsFor<CUpti_PCSamplingEnableParams>(CUpti_PCSamplingEnableParamsSize, context);
  CUptiResult result = functions_.cuptiPCSamplingEnable(&enable);
  if (result != CUPTI_SUCCESS) return Failed("cuptiPCSamplingEnable", result);
  auto& state = states_[context] = std::make_unique<State>();
  state->claim = std::move(claim).value();
  Result<std::vector<std::string>> reasons = Reasons(context, *state);
  if (reasons.ok()) {
    result = Configure(context, period, buffer, *state);
    if (result == CUPTI_SUCCESS) return reasons;
    reasons = Failed("cuptiPCSamplingSetConfigurationAttribute", result);
  }
  Disable(context);
  return reasons;
}

Result<std::vector<std::string>> PcSampler::Reasons(agent::ContextHandle context,
                                                    State& state) const {
  std::size_t count = 0;
  auto number = ParamsFor<CUpti_PCSamplingGetNumStallReasonsParams>(
      CUpti_PCSamplingGetNumStallReasonsParamsSize, context);
  number.numStallReasons = &count;
  CUptiResult result = functions_.cuptiPCSamplingGetNumStallReasons(&number);
  if (result != CUPTI_SUCCESS) return Failed("cuptiPCSamplingGetNumStallReasons", result);

  std::vector<std::uint32_t> indexes(count);
  std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(count);
  std::vector<char*> pointers;
  pointers.reserve(count);
  for (auto& text : texts) pointers.push_back(text.data());
  auto get = ParamsFor<CUpti_PCSamplingGetStallReasonsParams>(
      CUpti_PCSamplingGetStallReasonsParamsSize, context);
  get.numStallReasons = count;
  get.stallReasonIndex = indexes.data();
  get.stallReasons = pointers.data();
  result = functions_.cuptiPCSamplingGetStallReasons(&get);
  if (result != CUPTI_SUCCESS) return Failed("cuptiPCSamplingGetStallReasons", result);

  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    texts[i].back() = '\0';
    names.emplace_back(texts[i].data());
    state.reasons.place_of[indexes[i]] = StallReason(static_cast<std::uint32_t>(i));
    state.reasons.counts_once.push_back(CountsOnce(names.back()));
  }
  return names;
}

CUptiResult PcSampler::Configure(agent::ContextHandle context, options::SamplePeriod period,
                                 Bytes buffer, State& state) const {
  const std::size_t reasons = state.reasons.counts_once.size();
  state.configured = std::make_unique<PcSampleBuffer>(kInstructions, reasons);
  state.read = std::make_unique<PcSampleBuffer>(kInstructions, reasons);
  auto mode = Attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE);
  mode.attributeData.collectionModeData.collectionMode =
      CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  auto cycles = Attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD);
  cycles.attributeData.samplingPeriodData.samplingPeriod = period.exponent();
  auto hardware = Attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE);
  hardware.attributeData.hardwareBufferSizeData.hardwareBufferSize = buffer.count();
  auto data = Attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER);
  data.attributeData.samplingDataBufferData.samplingDataBuffer = state.configured->data();
  std::array attributes = {mode, cycles, hardware, data};
  auto params = ParamsFor<CUpti_PCSamplingConfigurationInfoParams>(
      CUpti_PCSamplingConfigurationInfoParamsSize, context);
  params.numAttributes = attributes.size();
  params.pPCSamplingConfigurationInfo = attributes.data();
  return functions_.cuptiPCSamplingSetConfigurationAttribute(&params);
}

CUptiResult PcSampler::Disable(agent::ContextHandle context) const {
  auto params =
      ParamsFor<CUpti_PCSamplingDisableParams>(CUpti_PCSamplingDisableParamsSize, context);
  return functions_.cuptiPCSamplingDisable(&params);
}

Result<agent::SampleBatch> PcSampler::Read(agent::ContextHandle context) {
  const auto found = states_.find(context);
  if (found == states_.end()) return Error{"sampling has not begun"};
  State& state = *found->second;
  auto params =
      ParamsFor<CUpti_PCSamplingGetDataParams>(CUpti_PCSamplingGetDataParamsSize, context);
  params.pcSamplingData = state.read->data();
  const CUptiResult result = functions_.cuptiPCSamplingGetData(&params);
  if (result != CUPTI_SUCCESS && result != CUPTI_ERROR_OUT_OF_MEMORY) {
    return Failed("cuptiPCSamplingGetData", result);
  }
  try {
    agent::SampleBatch batch = state.read->Take(state.reasons);
    batch.buffer_full = batch.buffer_full || result == CUPTI_ERROR_OUT_OF_MEMORY;
    return batch;
  } catch (...) {
    return Error{"out of memory"};
  }
}

Result<agent::SampleBatch> PcSampler::End(agent::ContextHandle context) {
  const auto found = states_.find(context);
  if (found == states_.end()) return Error{"sampling has not begun"};
  const CUptiResult result = Disable(context);
  const std::unique_ptr<State> state = std::move(found->second);
  states_.erase(found);
  if (result != CUPTI_SUCCESS) return Failed("cuptiPCSamplingDisable", result);
  try {
    return state->configured->Take(state->reasons);
  } catch (...) {
    return Error{"out of memory"};
  }
}

}  // namespace coalcheck::cupti
