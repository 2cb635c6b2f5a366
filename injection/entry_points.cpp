// SPDX-License-Identifier: Apache-2.0
//
// What libcoalcheck.so exports. Logic lives elsewhere, where tests can link it.
#include "injection/start.h"

// Called by the CUDA driver inside cuInit, because CUDA_INJECTION64_PATH names this library.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  coalcheck::StartAgent();
  return 1;
}
