// SPDX-License-Identifier: Apache-2.0
//
// What CUPTI's error numbers mean to a user, and what to do: one table for agent, report and
// doctor.
#pragma once

#include <string_view>

namespace coalcheck {

// The numbers that have an explanation, as CUPTI 13.0 assigns them.
enum CuptiError : int {
  kCuptiHardwareBusy = 26,
  kCuptiVirtualized = 33,
  kCuptiInsufficientPrivileges = 35,
  kCuptiOtherSubscriber = 39,
  kCuptiVirtualizedPrivileges = 40,
  kCuptiConfidentialComputing = 41,
  kCuptiMiningProcessor = 42,
  kCuptiMig = 43,
  kCuptiSli = 44,
  kCuptiWsl = 45,
};

// What it means and the remedy, without a full stop; empty for an error that says no more than its
// own name.
constexpr std::string_view ExplainCuptiError(int error) {
  switch (error) {
    case kCuptiHardwareBusy:
      return "another tool holds the counters (for DCGM: dcgmi profile --pause)";
    case kCuptiVirtualized:
      return "this virtual GPU (vGPU) does not offer its counters to the guest";
    case kCuptiInsufficientPrivileges:
      return "counters are reserved to administrators: load the driver with "
             "NVreg_RestrictProfilingToAdminUsers=0, or give the container --cap-add=SYS_ADMIN";
    case kCuptiOtherSubscriber:
      return "another CUPTI client is in the process: nsys, ncu, cuda-gdb, compute-sanitizer or "
             "a framework's profiler";
    case kCuptiVirtualizedPrivileges:
      return "the hypervisor does not let this virtual GPU (vGPU) be profiled: its administrator "
             "can allow it (enable_profiling)";
    case kCuptiConfidentialComputing:
      return "confidential computing forbids profiling, except in its developer-tools mode";
    case kCuptiMiningProcessor:
      return "mining processors (CMP) cannot be profiled";
    case kCuptiMig:
      return "this GPU is divided (MIG), and CUPTI does not profile such a part of it";
    case kCuptiSli:
      return "GPUs joined by SLI cannot be profiled";
    case kCuptiWsl:
      return "CUPTI does not profile this GPU under WSL: use Linux itself, or allow all users the "
             "counters in Windows' NVIDIA control panel";
    default:
      return {};
  }
}

}  // namespace coalcheck
