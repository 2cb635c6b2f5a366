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
#include <string_view>

namespace coalcheck::stand_in {

// Environment: STAND_IN_SUBSCRIBE, STAND_IN_SET_CONFIG, STAND_IN_ENABLE, STAND_IN_FLUSH: the
// CUptiResult that the call answers. STAND_IN_PC: where each counted launch counts.
// STAND_IN_KNOWN_CALLBACKS: driver functions from this id on are not known.
// STAND_IN_ROWS: instead of that, lines of a kernel, a pc and the values of all metrics.
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

// For the doctor's self-test, see memory.cpp.
void Misbehave(std::string_view when);
const std::string& CompiledPtx();
void Emulate(const std::string& kernel, void** arguments);

}  // namespace coalcheck::stand_in
