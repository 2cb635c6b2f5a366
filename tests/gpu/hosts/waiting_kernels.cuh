// SPDX-License-Identifier: Apache-2.0
//
// Four ways to wait on the device for a flag to reach a value, each with a limit of ten seconds.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace hosts {

constexpr std::uint64_t kGiveUpAfterNs = 10'000'000'000;

__device__ inline std::uint64_t DeviceNs() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// True, once it is noted, when a kernel that started at `start` has waited too long.
__device__ inline bool GaveUp(std::uint64_t start, int* gave_up) {
  if (DeviceNs() - start < kGiveUpAfterNs) return false;
  *const_cast<volatile int*>(gave_up) = 1;
  return true;
}

__global__ void set_flag(int* flag, int value) {
  if (threadIdx.x != 0) return;
  __threadfence_system();
  *const_cast<volatile int*>(flag) = value;
}

__global__ void wait_volatile(const int* flag, int value, int* gave_up) {
  const std::uint64_t start = DeviceNs();
  if (threadIdx.x != 0) return;
  while (*const_cast<volatile const int*>(flag) < value && !GaveUp(start, gave_up)) {
  }
}

__global__ void wait_atomic(int* flag, int value, int* gave_up) {
  const std::uint64_t start = DeviceNs();
  if (threadIdx.x != 0) return;
  while (atomicAdd(flag, 0) < value && !GaveUp(start, gave_up)) {
  }
}

__global__ void wait_nanosleep(const int* flag, int value, int* gave_up) {
  const std::uint64_t start = DeviceNs();
  if (threadIdx.x != 0) return;
  while (*const_cast<volatile const int*>(flag) < value && !GaveUp(start, gave_up)) {
    __nanosleep(1000);
  }
}

// A load that the compiler may keep in a register, but for the fence beside it.
__global__ void wait_weak(const int* flag, int value, int* gave_up) {
  const std::uint64_t start = DeviceNs();
  if (threadIdx.x != 0) return;
  while (*flag < value && !GaveUp(start, gave_up)) __threadfence();
}

}  // namespace hosts
