// SPDX-License-Identifier: Apache-2.0
//
// Prints the PTX of the doctor's self-test, for the compiler.
#include <cstdio>

#include "libcoalcheck/doctor/kernels.h"

int main() { return std::fputs(coalcheck::doctor::kKernelsPtx, stdout) < 0 ? 1 : 0; }
