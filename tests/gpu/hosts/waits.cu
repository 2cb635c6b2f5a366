// SPDX-License-Identifier: Apache-2.0
//
// Kernels that end only when something else happens: the host sets a flag, a later kernel does,
// or a stream waits. A kernel that has waited for ten seconds gives up, and the checksum shows it:
// a tool that stands in the way makes a wrong result here, not a dead machine.
#include <chrono>
#include <thread>

#include "host.h"
#include "waiting_kernels.cuh"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;
using hosts::GaveUp;

// A flag and a note of who gave up, where device and host see them.
struct Flag {
  int* value = nullptr;
  int* gave_up = nullptr;
  bool on_device;

  explicit Flag(bool device) : on_device(device) {
    if (device) {
      Check(cudaMalloc(&value, sizeof(int)), "cudaMalloc");
      Check(cudaMemset(value, 0, sizeof(int)), "cudaMemset");
    } else {
      Check(cudaHostAlloc(&value, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
      *value = 0;
    }
    Check(cudaHostAlloc(&gave_up, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
    *gave_up = 0;
    Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  void SetByHost() const { *const_cast<volatile int*>(value) = 1; }
  void AddTo(Checksum& sum) const {
    sum.Add(*gave_up);
    if (*gave_up != 0) std::fprintf(stderr, "the waiting kernel gave up\n");
  }
};

// Three rounds of: a kernel waits, the host sets the flag. 3 waiting + 15 plain launches.
void HostFlag(const Arguments&) {
  hosts::NeedDevices(1);
  Arrays a;
  Checksum sum;
  for (int round = 0; round < 3; ++round) {
    const Flag flag(false);
    hosts::wait_volatile<<<1, 32, 0, a.stream>>>(flag.value, 1, flag.gave_up);
    flag.SetByHost();
    a.Add<1>(5);
    a.AddTo(sum);
    flag.AddTo(sum);
  }
  hosts::Print("host_flag", sum);
}

// A kernel whose first launches find their flag set, so that its third has a window, outlives the
// deadline of that; then the device is reset at once. 3 waiting + 5 plain launches.
void ResetInWindow(const Arguments&) {
  hosts::NeedDevices(1);
  const Flag flag(false);
  flag.SetByHost();
  for (int i = 0; i < 2; ++i) {
    hosts::wait_volatile<<<1, 32>>>(flag.value, 1, flag.gave_up);
    Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  hosts::wait_volatile<<<1, 32>>>(flag.value, 2, flag.gave_up);
  *const_cast<volatile int*>(flag.value) = 2;
  Check(cudaDeviceReset(), "cudaDeviceReset");
  Arrays a;
  a.Add<1>(5);
  Checksum sum;
  a.AddTo(sum);
  hosts::Print("reset_in_window", sum);
}

// `rounds` rounds in two streams of one context: a kernel waits in one, a later launch in the
// other sets its flag. With `first_is_set` the flag is there already in the first round, so that
// whoever only watched that one is deceived.
template <typename Kernel>
void LaterKernel(const char* name, Kernel* wait, int rounds, bool first_is_set) {
  hosts::NeedDevices(1);
  Arrays waiting;
  Arrays setting;
  hosts::LoadNow(wait);
  hosts::LoadNow(hosts::set_flag);
  hosts::LoadNow(hosts::add<1>);
  Checksum sum;
  const Flag flag(true);
  for (int round = 1; round <= rounds; ++round) {
    if (first_is_set && round == 1) {
      hosts::set_flag<<<1, 32, 0, setting.stream>>>(flag.value, round);
      Check(cudaStreamSynchronize(setting.stream), "cudaStreamSynchronize");
    }
    wait<<<1, 32, 0, waiting.stream>>>(flag.value, round, flag.gave_up);
    Check(cudaGetLastError(), "launch");
    waiting.Add<1>();
    hosts::set_flag<<<1, 32, 0, setting.stream>>>(flag.value, round);
    Check(cudaGetLastError(), "launch");
    waiting.AddTo(sum);
  }
  flag.AddTo(sum);
  hosts::Print(name, sum);
}

// A stream waits for a value that the host writes later; 2 × 5 launches behind it.
void StreamWaitsForValue(const Arguments&) {
  hosts::NeedDevices(1);
  Arrays a;
  Arrays b;
  const Flag flag(false);
  Check(HOSTS_DRIVER(cuStreamWaitValue32)(a.stream, reinterpret_cast<CUdeviceptr>(flag.value), 1,
                                          CU_STREAM_WAIT_VALUE_GEQ),
        "cuStreamWaitValue32");
  a.Add<1>(5);
  b.Add<2>(5);
  Checksum sum;
  b.AddTo(sum);
  flag.SetByHost();
  a.AddTo(sum);
  hosts::Print("stream_waits_for_value", sum);
}

// A stream waits for an event of another, which waits for a host function; 2 × 5 launches.
void StreamWaitsForHostFunction(const Arguments&) {
  hosts::NeedDevices(1);
  Arrays a;
  Arrays b;
  cudaEvent_t event = nullptr;
  Check(cudaEventCreate(&event), "cudaEventCreate");
  const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
  Check(cudaLaunchHostFunc(a.stream, sleep, nullptr), "cudaLaunchHostFunc");
  Check(cudaEventRecord(event, a.stream), "cudaEventRecord");
  Check(cudaStreamWaitEvent(b.stream, event, 0), "cudaStreamWaitEvent");
  a.Add<1>(5);
  b.Add<2>(5);
  Checksum sum;
  a.AddTo(sum);
  b.AddTo(sum);
  hosts::Print("stream_waits_for_host_function", sum);
}

// One kernel runs all the time; 200 launches beside it, in 4 kernels and 2 streams. With a first
// pass each kernel has run once before.
void Persistent(bool first_pass) {
  hosts::NeedDevices(1);
  Arrays background;
  Arrays a;
  Arrays b;
  const Flag stop(false);
  hosts::LoadNow(hosts::wait_volatile);
  hosts::LoadNow(hosts::add<1>);
  hosts::LoadNow(hosts::add<2>);
  hosts::LoadNow(hosts::add<3>);
  hosts::LoadNow(hosts::add<4>);
  if (first_pass) {
    const Flag set(false);
    set.SetByHost();
    hosts::wait_volatile<<<1, 32, 0, background.stream>>>(set.value, 1, set.gave_up);
    a.Add<1>();
    b.Add<2>();
    a.Add<3>();
    b.Add<4>();
    Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  hosts::wait_volatile<<<1, 32, 0, background.stream>>>(stop.value, 1, stop.gave_up);
  Checksum sum;
  for (int i = 0; i < 50; ++i) {
    a.Add<1>();
    b.Add<2>();
    a.Add<3>();
    b.Add<4>();
  }
  a.AddTo(sum);
  b.AddTo(sum);
  stop.SetByHost();
  Check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  stop.AddTo(sum);
  hosts::Print("persistent", sum);
}

template <typename Kernel>
std::function<void(const Arguments&)> Later(const char* name, Kernel* wait, bool deceive = false) {
  return [=](const Arguments&) { LaterKernel(name, wait, 3, deceive); };
}

}  // namespace

int main(int argc, char** argv) {
  return hosts::RunCase(
      argc, argv,
      {{"host_flag", HostFlag},
       {"reset_in_window", ResetInWindow},
       {"later_kernel_volatile", Later("later_kernel_volatile", hosts::wait_volatile)},
       {"later_kernel_atomic", Later("later_kernel_atomic", hosts::wait_atomic)},
       {"later_kernel_nanosleep", Later("later_kernel_nanosleep", hosts::wait_nanosleep)},
       {"later_kernel_weak", Later("later_kernel_weak", hosts::wait_weak)},
       {"later_kernel_deceiving", Later("later_kernel_deceiving", hosts::wait_volatile, true)},
       {"stream_waits_for_value", StreamWaitsForValue},
       {"stream_waits_for_host_function", StreamWaitsForHostFunction},
       {"persistent", [](const Arguments&) { Persistent(false); }},
       {"persistent_after_first_pass", [](const Arguments&) { Persistent(true); }}});
}
