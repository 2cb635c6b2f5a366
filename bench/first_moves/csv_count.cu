// SPDX-License-Identifier: Apache-2.0
//
// For each line of a CSV file already split at newlines: number of fields, number of
// digits, and whether a non-ASCII byte occurs.  One thread walks one line.
extern "C" __global__ void csv_line_stats(const unsigned char* __restrict__ text,
                                          const long long* __restrict__ line_off,  // n_lines+1
                                          int n_lines, int delim, int* __restrict__ n_fields,
                                          int* __restrict__ n_digits,
                                          unsigned char* __restrict__ has_utf8) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= n_lines) return;
  long long b = line_off[line], e = line_off[line + 1];
  int f = 1, d = 0;
  unsigned hi = 0;
  for (long long p = b; p < e; ++p) {
    unsigned c = text[p];
    f += (c == (unsigned)delim);
    d += (c - '0' < 10u);
    hi |= c & 0x80u;
  }
  n_fields[line] = f;
  n_digits[line] = d;
  has_utf8[line] = hi != 0;
}
