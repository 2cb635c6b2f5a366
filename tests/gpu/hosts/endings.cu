// SPDX-License-Identifier: Apache-2.0
//
// A program that launches three kernels, ten times in all, and then ends in the way its argument
// names.
#undef NDEBUG  // a release build takes assertions out
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cassert>
#include <stdexcept>
#include <thread>

#include "host.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

__global__ void touch_nothing_good(int* nowhere) { *nowhere = 1; }

__global__ void assert_on_device(const float* in) { assert(in[threadIdx.x] < 0); }

// Ten launches of three kernels, proved on stdout before anything else happens.
void Work(const char* name) {
  hosts::NeedDevices(1);
  Arrays a;
  a.Add<1>(5);
  a.Add<3>(3);
  a.Add<5>(2);
  Checksum sum;
  a.AddTo(sum);
  hosts::Print(name, sum);
  std::fflush(stdout);
}

[[noreturn]] void KilledBy(int signal_number) {
  raise(signal_number);
  hosts::Fail("raise", "the signal did not end the program");
}

// What every call after it says is the program's own business, and part of its output.
void PrintError(const char* what) {
  std::printf("%s: %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
  std::fflush(stdout);
}

void IllegalAccess() {
  touch_nothing_good<<<1, 1>>>(reinterpret_cast<int*>(0x10));
  PrintError("illegal access");
  std::exit(3);
}

void DeviceAssert() {
  Arrays a;
  assert_on_device<<<1, 32>>>(a.in);
  PrintError("device assert");
  std::exit(4);
}

void DestroyedContext() {
  Check(cudaDeviceReset(), "cudaDeviceReset");
  std::printf("the context is gone\n");
}

// Nearly all memory is taken before the first launch, so that nobody else can have any.
void MemoryExhausted() {
  hosts::NeedDevices(1);
  Arrays a;
  hosts::LoadNow(hosts::add<1>);
  std::size_t chunk = std::size_t{1} << 36;
  while (chunk >= (std::size_t{1} << 20)) {
    void* taken = nullptr;
    if (cudaMalloc(&taken, chunk) == cudaSuccess) continue;
    cudaGetLastError();
    chunk /= 2;
  }
  a.Add<1>(10);
  Checksum sum;
  a.AddTo(sum);
  hosts::Print("memory_exhausted", sum);
}

// Once CUDA has started, no file may grow past 8 KB: what a full disk is to whoever records.
void FullDisk() {
  Work("full_disk");
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{8192, 8192};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) hosts::Fail("setrlimit", "refused");
  Arrays a;
  for (unsigned blocks = 1; blocks <= 100; ++blocks) {
    hosts::add<2><<<dim3(blocks), dim3(32), 0, a.stream>>>(a.in, a.out);
    Check(cudaGetLastError(), "launch");
  }
  Checksum sum;
  a.AddTo(sum);
  hosts::Print("full_disk", sum);
}

std::function<void(const Arguments&)> After(const char* name, std::function<void()> end) {
  return [=](const Arguments&) {
    Work(name);
    end();
  };
}

}  // namespace

int main(int argc, char** argv) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  return hosts::RunCase(
      argc, argv,
      {{"return", After("return", [] {})},
       {"exit_code", After("exit_code", [] { std::exit(7); })},
       {"exception", After("exception", [] { throw std::runtime_error("nobody catches it"); })},
       {"exit_in_thread",
        After("exit_in_thread", [] { std::thread([] { std::exit(5); }).join(); })},
       {"_exit", After("_exit", [] { _exit(6); })},
       {"quick_exit", After("quick_exit", [] { std::quick_exit(8); })},
       {"abort", After("abort", [] { std::abort(); })},
       {"sigterm", After("sigterm", [] { KilledBy(SIGTERM); })},
       {"sigint", After("sigint", [] { KilledBy(SIGINT); })},
       {"sigkill", After("sigkill", [] { KilledBy(SIGKILL); })},
       {"illegal_access", After("illegal_access", IllegalAccess)},
       {"device_assert", After("device_assert", DeviceAssert)},
       {"destroyed_context", After("destroyed_context", DestroyedContext)},
       {"memory_exhausted", [](const Arguments&) { MemoryExhausted(); }},
       {"full_disk", [](const Arguments&) { FullDisk(); }}});
}
