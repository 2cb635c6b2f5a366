// SPDX-License-Identifier: Apache-2.0
//
// Contexts that come and go: several at once, the primary one reset, the device reset in the
// middle.
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

// The primary context and two of the driver's interface, one of which ends before the others.
void Several(const Arguments&) {
  CUcontext contexts[2] = {};
  const auto make_current = HOSTS_DRIVER(cuCtxSetCurrent);
  const auto destroy = HOSTS_DRIVER(cuCtxDestroy);
  const auto create = HOSTS_DRIVER(cuCtxCreate);
  Checksum sum;
  Work(sum);
  for (CUcontext& context : contexts) {
#if CUDART_VERSION >= 13000
    Check(create(&context, nullptr, 0, 0), "cuCtxCreate");
#else
    Check(create(&context, 0, 0), "cuCtxCreate");
#endif
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

void PrimaryReset(const Arguments&) {
  Checksum sum;
  Work(sum);
  Check(HOSTS_DRIVER(cuDevicePrimaryCtxReset)(0), "cuDevicePrimaryCtxReset");
  Check(cudaSetDevice(0), "cudaSetDevice");
  Work(sum);
  hosts::Print("primary_reset", sum);
}

void DeviceReset(const Arguments&) {
  Checksum sum;
  for (int i = 0; i < 3; ++i) {
    Work(sum);
    Check(cudaDeviceReset(), "cudaDeviceReset");
  }
  Work(sum);
  hosts::Print("device_reset", sum);
}

}  // namespace

int main(int argc, char** argv) {
  hosts::NeedDevices(1);
  return hosts::RunCase(
      argc, argv,
      {{"several", Several}, {"primary_reset", PrimaryReset}, {"device_reset", DeviceReset}});
}
