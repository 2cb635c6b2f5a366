// SPDX-License-Identifier: Apache-2.0
//
// A shared object with a copy of NVTX of its own, which runs work in a range.
#include <nvtx3/nvToolsExt.h>

extern "C" __attribute__((visibility("default"))) void InRange(const char* name,
                                                               void (*work)(void*), void* data) {
  nvtxRangePushA(name);
  work(data);
  nvtxRangePop();
}
