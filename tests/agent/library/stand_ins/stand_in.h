// SPDX-License-Identifier: Apache-2.0
//
// What the stand-in for CUPTI knows of the stand-in for the driver. The two are loaded by the real
// agent under the names of NVIDIA's libraries; types and constants are those of NVIDIA's headers.
#pragma once

#include <cuda.h>
#include <cupti.h>
#include <cupti_pcsampling.h>

#include <cstdint>
#include <map>
#include <string>

namespace coalcheck::stand_in {

// Environment: STAND_IN_SUBSCRIBE, STAND_IN_SET_CONFIG, STAND_IN_ENABLE, STAND_IN_FLUSH: the
// CUptiResult that the call answers. STAND_IN_PC: where each counted launch counts.
int Number(const char* name, int fallback);

struct State {
  CUpti_CallbackFunc callback = nullptr;
  void* user = nullptr;
  CUpti_ComputeCrcCallbackFunc crc_of = nullptr;
  std::uint64_t cubin_crc = 0;
  bool counting = false;
  std::uint64_t counting_since = 0;  // which Enable is in force
  std::map<std::string, std::uint64_t> counted_launches;
};
// The only one in the process; it lives in the driver's stand-in.
extern "C" __attribute__((visibility("default"))) State& StandInState();

}  // namespace coalcheck::stand_in
