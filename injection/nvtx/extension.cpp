// SPDX-License-Identifier: Apache-2.0
//
// The functions of NVTX's payload extension that open and close ranges.
#include <cstddef>
#include <cstdint>

#include "injection/nvtx/calls.h"
#include "injection/nvtx/listener.h"

namespace coalcheck::nvtx {
namespace {

Handle HandleOf(nvtxDomainHandle_t domain) {
  return Handle{reinterpret_cast<std::uintptr_t>(domain)};
}

int RangePushPayload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* /*payloads*/,
                     std::size_t /*count*/) {
  return Push(HandleOf(domain), {}).value();
}

int RangePopPayload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* /*payloads*/,
                    std::size_t /*count*/) {
  return Pop(HandleOf(domain)).value();
}

nvtxRangeId_t RangeStartPayload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* /*payloads*/,
                                std::size_t /*count*/) {
  return Start(HandleOf(domain), {}).value();
}

void RangeEndPayload(nvtxDomainHandle_t /*domain*/, nvtxRangeId_t range,
                     const nvtxPayloadData_t* /*payloads*/, std::size_t /*count*/) {
  End(agent::RangeKey(range));
}

}  // namespace

bool AttachExtension(const nvtxExtModuleInfo_t* module, agent::RangeBook& book) noexcept {
  if (module == nullptr || module->structSize < sizeof *module) return false;
  if (module->moduleId != NVTX_EXT_PAYLOAD_MODULEID) return true;  // it has no ranges
  if (module->segmentsCount == 0 || module->segments == nullptr) return false;
  try {
    Listen(book);
  } catch (...) {
    return false;  // out of memory
  }
  const nvtxExtModuleSegment_t& segment = module->segments[0];
  const auto put = [&](std::size_t id, auto* function) {
    if (id < segment.slotCount) {
      segment.functionSlots[id] = reinterpret_cast<std::intptr_t>(function);
    }
  };
  put(NVTX3EXT_CBID_nvtxRangePushPayload, RangePushPayload);
  put(NVTX3EXT_CBID_nvtxRangePopPayload, RangePopPayload);
  put(NVTX3EXT_CBID_nvtxRangeStartPayload, RangeStartPayload);
  put(NVTX3EXT_CBID_nvtxRangeEndPayload, RangeEndPayload);
  return true;
}

}  // namespace coalcheck::nvtx
