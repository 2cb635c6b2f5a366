// SPDX-License-Identifier: Apache-2.0
//
// The module that the host loads: one store a line apart for each lane.
extern "C" __global__ void spread(float* out) { out[threadIdx.x * 32] = 1.0F; }
