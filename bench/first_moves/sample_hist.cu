// SPDX-License-Identifier: Apache-2.0
//
// Histogram of 16-bit ADC samples; shared-memory bins per block, merged at the end.
// Every thread takes a run of `per_thread` samples.
extern "C" __global__ void sample_hist(const unsigned short* __restrict__ samples, long long n,
                                       int per_thread, int shift, int n_bins,
                                       unsigned int* __restrict__ hist) {
  extern __shared__ unsigned int bins[];
  for (int b = threadIdx.x; b < n_bins; b += blockDim.x) bins[b] = 0;
  __syncthreads();

  long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
  long long last = first + per_thread;
  if (last > n) last = n;
  for (long long i = first; i < last; ++i) {
    unsigned v = samples[i] >> shift;
    if (v < (unsigned)n_bins) atomicAdd(&bins[v], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < n_bins; b += blockDim.x)
    if (bins[b]) atomicAdd(&hist[b], bins[b]);
}
