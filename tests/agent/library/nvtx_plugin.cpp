// SPDX-License-Identifier: Apache-2.0
//
// A shared object that is loaded late and has a copy of NVTX of its own.
#include <nvtx3/nvToolsExt.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int PluginPush(const char* name) { return nvtxRangePushA(name); }
EXPORT int PluginPop() { return nvtxRangePop(); }
EXPORT void PluginEnd(nvtxRangeId_t range) { nvtxRangeEnd(range); }
EXPORT nvtxDomainHandle_t PluginDomain(const char* name) { return nvtxDomainCreateA(name); }
EXPORT int PluginPopFrom(nvtxDomainHandle_t domain) { return nvtxDomainRangePop(domain); }
