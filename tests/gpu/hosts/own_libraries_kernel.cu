// SPDX-License-Identifier: Apache-2.0
//
// The CUDA part of own_libraries.cpp, apart from it because nvcc need not read foreign headers.
#include "host.h"

std::uint64_t RunKernel() {
  hosts::NeedDevices(1);
  hosts::Arrays a;
  a.Add<1>(10);
  hosts::Checksum sum;
  a.AddTo(sum);
  return sum.value();
}
