// SPDX-License-Identifier: Apache-2.0
//
// The table of driver functions. Subscription and handler are one line, so that neither can be
// forgotten.
#include "injection/cupti/driver_callbacks.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace coalcheck::cupti {
namespace {

constexpr DefaultStream kPerThread = DefaultStream::kPerThread;

constexpr DriverCallback kCallbacks[] = {
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, OnLaunchKernel},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, OnLaunchKernel, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, OnLaunchEx},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, OnLaunchEx, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, OnLaunchCooperative},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, OnLaunchCooperative, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture, OnBeginCapture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz, OnBeginCapture, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, OnBeginCapture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz, OnBeginCapture, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph, OnBeginCapture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz, OnBeginCapture, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, OnEndCapture},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz, OnEndCapture, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate, OnInstantiate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2, OnInstantiate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags, OnInstantiateWithFlags},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams, OnInstantiateWithParams},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz, OnInstantiateWithParams,
     kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphUpload, OnGraphUpload},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphUpload_ptsz, OnGraphUpload, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate, OnExecUpdate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2, OnExecUpdate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams, OnExecUpdate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2, OnExecUpdate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams, OnExecUpdate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecChildGraphNodeSetParams, OnExecUpdate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecMemcpyNodeSetParams, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecMemsetNodeSetParams, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecHostNodeSetParams, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecEventRecordNodeSetEvent, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecEventWaitNodeSetEvent, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecExternalSemaphoresSignalNodeSetParams, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecExternalSemaphoresWaitNodeSetParams, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecBatchMemOpNodeSetParams, OnExecChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled, OnExecUpdate},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecGetFlags, OnExecGetFlags},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, OnExecDestroy},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, OnGraphLaunch},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz, OnGraphLaunch, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphDestroy, OnGraphDestroy},
    {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, OnProfilerStart},
    {CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, OnProfilerStop},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, OnSynchronise},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2, OnSynchronise},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, OnSynchronise},
    {CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz, OnSynchronise, kPerThread},
    {CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize, OnSynchronise},
    {CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2, OnSynchronise},
    {CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds, OnSynchronise, kPerThread},
    // Those that may load or unload code: directly, by making or ending a context, or because lazy
    // loading brings a kernel's code when somebody first asks about it. Found by asking at each
    // module's arrival and departure who had called.
    {CUPTI_DRIVER_TRACE_CBID_cuCtxCreate_v2, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxCreate_v3, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxCreate_v4, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRetain, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease_v2, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset_v2, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoad, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuModuleGetGlobal_v2, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryGetModule, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryGetGlobal, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryGetManaged, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuLibraryGetUnifiedFunction, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuKernelGetFunction, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuKernelGetAttribute, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuKernelSetAttribute, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuKernelSetCacheConfig, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuFuncLoad, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuFuncGetAttribute, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuFuncSetAttribute, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuFuncSetCacheConfig, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuFuncSetSharedMemConfig, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuOccupancyMaxActiveBlocksPerMultiprocessor, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuOccupancyMaxPotentialBlockSize, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuOccupancyMaxPotentialBlockSizeWithFlags, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuOccupancyAvailableDynamicSMemPerBlock, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuOccupancyMaxPotentialClusterSize, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuOccupancyMaxActiveClusters, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams, OnCodeChange},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams_v2, OnCodeChange},
};

// 1 more than a function's place in the table; 0: it is not there.
using Places = std::array<std::uint8_t, CUPTI_DRIVER_TRACE_CBID_SIZE>;

constexpr Places kPlaces = [] {
  Places places{};
  std::uint8_t place = 0;
  for (const DriverCallback& one : kCallbacks) places.at(one.id) = ++place;
  return places;
}();

constexpr bool EachStandsOnce() {
  std::size_t found = 0;
  for (const std::uint8_t place : kPlaces) found += place > 0 ? 1 : 0;
  return found == std::size(kCallbacks);
}
static_assert(EachStandsOnce() && std::size(kCallbacks) <= UINT8_MAX);

}  // namespace

std::span<const DriverCallback> DriverCallbacks() { return kCallbacks; }

const DriverCallback* FindDriverCallback(CUpti_CallbackId id) {
  const std::size_t place = id < kPlaces.size() ? kPlaces[id] : 0;
  return place == 0 ? nullptr : &kCallbacks[place - 1];
}

}  // namespace coalcheck::cupti
