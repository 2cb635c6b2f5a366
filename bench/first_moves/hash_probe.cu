// SPDX-License-Identifier: Apache-2.0
//
// Probe side of a hash join: linear probing in an open-addressing table of 16-byte slots.
struct Slot {
  unsigned long long key;
  unsigned long long row_id;
};

__device__ inline unsigned long long mix(unsigned long long k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdULL;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53ULL;
  k ^= k >> 33;
  return k;
}

extern "C" __global__ void hash_probe(const unsigned long long* __restrict__ keys, int n_keys,
                                      const Slot* __restrict__ table, unsigned int cap_mask,
                                      int max_probe, long long* __restrict__ match) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n_keys) return;
  unsigned long long k = keys[i];
  unsigned h = (unsigned)mix(k) & cap_mask;
  long long found = -1;
  for (int p = 0; p < max_probe; ++p) {
    unsigned long long sk = table[h].key;
    if (sk == k) {
      found = (long long)table[h].row_id;
      break;
    }
    if (sk == ~0ULL) break;
    h = (h + 1) & cap_mask;
  }
  match[i] = found;
}
