// SPDX-License-Identifier: Apache-2.0
//
// Contexts that come and go: several at once, one that ends beside another's launches, the primary
// one reset, the device reset in the middle.
#include <chrono>
#include <thread>

#include "host.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

// Five launches in the context that is current.
void Work(Checksum& sum) {
  Arrays a;
  a.Add<1>(5);
  a.AddTo(sum);
}

// A context of the driver's interface, made current.
CUcontext CreateContext() {
  CUcontext context = nullptr;
  const auto create = HOSTS_DRIVER(cuCtxCreate);
#if CUDART_VERSION >= 13000
  Check(create(&context, nullptr, 0, 0), "cuCtxCreate");
#else
  Check(create(&context, 0, 0), "cuCtxCreate");
#endif
  return context;
}

// The primary context and two of the driver's interface, one of which ends before the others.
void Several(const Arguments&) {
  CUcontext contexts[2] = {};
  const auto make_current = HOSTS_DRIVER(cuCtxSetCurrent);
  const auto destroy = HOSTS_DRIVER(cuCtxDestroy);
  Checksum sum;
  Work(sum);
  for (CUcontext& context : contexts) {
    context = CreateContext();
    Work(sum);
  }
  Check(make_current(contexts[0]), "cuCtxSetCurrent");
  Work(sum);
  Check(destroy(contexts[0]), "cuCtxDestroy");
  Check(make_current(contexts[1]), "cuCtxSetCurrent");
  Work(sum);
  Check(make_current(nullptr), "cuCtxSetCurrent");
  Check(cudaSetDevice(0), "cudaSetDevice");
  Work(sum);
  hosts::Print("several", sum);
}

// One thread makes contexts, launches in them and destroys them, ten times, while another launches
// 100 times in the primary context.
void DestroyedBesideLaunches(const Arguments&) {
  const auto destroy = HOSTS_DRIVER(cuCtxDestroy);
  Checksum sums[2];
  Work(sums[0]);
  std::thread launching([&] {
    Check(cudaSetDevice(0), "cudaSetDevice");
    for (int i = 0; i < 20; ++i) Work(sums[0]);
  });
  std::thread destroying([&] {
    for (int i = 0; i < 10; ++i) {
      CUcontext const context = CreateContext();
      Work(sums[1]);
      Check(destroy(context), "cuCtxDestroy");
    }
  });
  launching.join();
  destroying.join();
  sums[0].Add(sums[1].value());
  hosts::Print("destroyed_beside_launches", sums[0]);
}

void PrimaryReset(const Arguments&) {
  Checksum sum;
  Work(sum);
  Check(HOSTS_DRIVER(cuDevicePrimaryCtxReset)(0), "cuDevicePrimaryCtxReset");
  Check(cudaSetDevice(0), "cudaSetDevice");
  Work(sum);
  hosts::Print("primary_reset", sum);
}

void ResetAndWork(const char* name, Checksum& sum) {
  for (int i = 0; i < 3; ++i) {
    Work(sum);
    Check(cudaDeviceReset(), "cudaDeviceReset");
  }
  Work(sum);
  hosts::Print(name, sum);
}

void DeviceReset(const Arguments&) {
  Checksum sum;
  ResetAndWork("device_reset", sum);
}

// Long enough for CUPTI to be given back, which waits for two quiet seconds.
void DeviceResetAfterPause(const Arguments&) {
  Checksum sum;
  Work(sum);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  ResetAndWork("device_reset_after_pause", sum);
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(argc, argv,
                        {{"several", Several},
                         {"destroyed_beside_launches", DestroyedBesideLaunches},
                         {"primary_reset", PrimaryReset},
                         {"device_reset", DeviceReset},
                         {"device_reset_after_pause", DeviceResetAfterPause}});
}
