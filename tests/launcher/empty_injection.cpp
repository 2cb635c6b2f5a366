// SPDX-License-Identifier: Apache-2.0
//
// A library with the entry point that CUDA calls, and nothing behind it.
extern "C" int InitializeInjection();
extern "C" int InitializeInjection() { return 1; }
