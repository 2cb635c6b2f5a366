// SPDX-License-Identifier: Apache-2.0
//
// AES-128 in counter mode, one 16-byte block for each thread.
typedef unsigned char u8;
__device__ inline u8 xt(u8 a) { return (u8)((a << 1) ^ ((a >> 7) * 0x1b)); }

extern "C" __global__ void aes128_ctr(const u8* __restrict__ in, u8* __restrict__ out,
                                      const u8* __restrict__ round_keys,  // 176 bytes
                                      const u8* __restrict__ sbox_g,      // 256 bytes
                                      unsigned long long nonce, unsigned long long ctr0,
                                      int n_blocks) {
  __shared__ u8 sbox[256];
  __shared__ u8 rk[176];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) sbox[i] = sbox_g[i];
  for (int i = threadIdx.x; i < 176; i += blockDim.x) rk[i] = round_keys[i];
  __syncthreads();

  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= n_blocks) return;
  u8 s[16], t[16];
  unsigned long long ctr = ctr0 + b;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    s[k] = (u8)(nonce >> (56 - 8 * k)) ^ rk[k];
    s[8 + k] = (u8)(ctr >> (56 - 8 * k)) ^ rk[8 + k];
  }
  for (int r = 1; r < 10; ++r) {
#pragma unroll
    for (int c = 0; c < 4; ++c)
#pragma unroll
      for (int k = 0; k < 4; ++k) t[4 * c + k] = sbox[s[(4 * (c + k) + k) & 15]];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      u8 a0 = t[4 * c], a1 = t[4 * c + 1], a2 = t[4 * c + 2], a3 = t[4 * c + 3];
      u8 e = a0 ^ a1 ^ a2 ^ a3;
      s[4 * c] = a0 ^ e ^ xt(a0 ^ a1) ^ rk[16 * r + 4 * c];
      s[4 * c + 1] = a1 ^ e ^ xt(a1 ^ a2) ^ rk[16 * r + 4 * c + 1];
      s[4 * c + 2] = a2 ^ e ^ xt(a2 ^ a3) ^ rk[16 * r + 4 * c + 2];
      s[4 * c + 3] = a3 ^ e ^ xt(a3 ^ a0) ^ rk[16 * r + 4 * c + 3];
    }
  }
#pragma unroll
  for (int c = 0; c < 4; ++c)
#pragma unroll
    for (int k = 0; k < 4; ++k)
      t[4 * c + k] = sbox[s[(4 * (c + k) + k) & 15]] ^ rk[160 + 4 * c + k];
#pragma unroll
  for (int k = 0; k < 16; ++k) out[(size_t)b * 16 + k] = in[(size_t)b * 16 + k] ^ t[k];
}
