// SPDX-License-Identifier: Apache-2.0
//
// Machines made up for tests. Only the good one is like a machine that coalcheck was run on; MIG,
// vGPU, WSL, confidential computing and reserved counters are what the documentation says of them.
#pragma once

#include "libcoalcheck/doctor/facts.h"
#include "libcoalcheck/doctor/kernels.h"

namespace coalcheck::doctor {

inline SelfTestFacts PassedSelfTest() {
  SelfTestFacts test;
  test.deadline_seconds = 60;
  test.counts = ExpectedCounts();
  return test;
}

// One H200, everything installed, counters free for all, the self-test passed.
inline Facts GoodMachine() {
  Facts facts;
  facts.driver = {true,         "/usr/lib/libcuda.so.1", "",
                  "580.159.04", CudaVersion{13000},      {{0, "NVIDIA H200", 9, 0}}};
  facts.management = {0, 0, false, false};
  facts.cupti = {true,   "/usr/local/cuda/lib64/libcupti.so.13",    "",
                 130001, "/usr/local/cuda/lib64/libnvperf_host.so", "2025.3.0"};
  facts.agent = {"/usr/local/lib/libcoalcheck.so", {"/usr/local/lib/libcoalcheck.so"}};
  facts.permissions = {false, 0};
  facts.temporary = {"/tmp", true, Bytes(std::uint64_t{4} << 30)};
  facts.self_tests = {PassedSelfTest()};
  return facts;
}

}  // namespace coalcheck::doctor
