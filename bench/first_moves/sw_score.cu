// SPDX-License-Identifier: Apache-2.0
//
// Smith-Waterman score (affine gaps) of many read/window pairs, one thread for each pair.
// The bases are packed 2-bit, 16 a word; the DP row and the gap row are in a scratch buffer.
extern "C" __global__ void sw_score(const unsigned* __restrict__ reads,
                                    const unsigned* __restrict__ windows, short2* scratch,
                                    short* __restrict__ best_out, int n_pairs, int read_len,
                                    int win_len, int match, int mismatch, int gap_open,
                                    int gap_ext) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= n_pairs) return;
  const int rw = (read_len + 15) / 16, ww = (win_len + 15) / 16;
  const unsigned* rd = reads + (size_t)pair * rw;
  const unsigned* wn = windows + (size_t)pair * ww;
  short2* row = scratch + (size_t)pair * read_len;

  for (int j = 0; j < read_len; ++j) row[j] = make_short2(0, -16000);
  int best = 0;
  for (int i = 0; i < win_len; ++i) {
    unsigned wb = (wn[i >> 4] >> (2 * (i & 15))) & 3u;
    int diag = 0, left = 0, f = -16000;
    unsigned word = 0;
    for (int j = 0; j < read_len; ++j) {
      if ((j & 15) == 0) word = rd[j >> 4];
      unsigned rb = word & 3u;
      word >>= 2;
      short2 he = row[j];
      int e = max((int)he.y - gap_ext, (int)he.x - gap_open);
      f = max(f - gap_ext, left - gap_open);
      int h = max(max(diag + (rb == wb ? match : -mismatch), 0), max(e, f));
      best = max(best, h);
      diag = he.x;
      left = h;
      row[j] = make_short2((short)h, (short)e);
    }
  }
  best_out[pair] = (short)best;
}
