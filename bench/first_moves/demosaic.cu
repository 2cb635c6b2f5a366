// SPDX-License-Identifier: Apache-2.0
//
// Bilinear demosaic of an RGGB 16-bit raw frame into three planes, black level subtracted.
extern "C" __global__ void demosaic_rggb(const unsigned short* __restrict__ raw,
                                         unsigned short* __restrict__ r,
                                         unsigned short* __restrict__ g,
                                         unsigned short* __restrict__ b, int width, int height,
                                         int pitch, int black) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;

  const unsigned short* p = raw + (size_t)y * pitch + x;
  int c = p[0];
  int h = (p[-1] + p[1]) >> 1;
  int v = (p[-pitch] + p[pitch]) >> 1;
  int d = (p[-pitch - 1] + p[-pitch + 1] + p[pitch - 1] + p[pitch + 1]) >> 2;
  int cross = (h + v) >> 1;
  bool odd_x = x & 1, odd_y = y & 1;
  int rr, gg, bb;
  if (odd_x == odd_y) {
    gg = cross;
    rr = odd_x ? d : c;
    bb = odd_x ? c : d;
  } else {
    gg = c;
    rr = odd_y ? v : h;
    bb = odd_y ? h : v;
  }
  size_t o = (size_t)y * pitch + x;
  r[o] = (unsigned short)max(rr - black, 0);
  g[o] = (unsigned short)max(gg - black, 0);
  b[o] = (unsigned short)max(bb - black, 0);
}
