// SPDX-License-Identifier: Apache-2.0
//
// Fuse one depth frame into a truncated signed distance volume, vol[x][y][z].
struct Cam {
  float r[9];
  float t[3];
  float fx, fy, cx, cy;
};

extern "C" __global__ void tsdf_fuse(short2* vol, int nx, int ny, int nz,
                                     const unsigned short* __restrict__ depth, int dw, int dh,
                                     Cam cam, float voxel, float trunc, int max_weight) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;

  float wx = (x + 0.5f) * voxel - cam.t[0];
  float wy = (y + 0.5f) * voxel - cam.t[1];
  float wz = (z + 0.5f) * voxel - cam.t[2];
  float cxp = cam.r[0] * wx + cam.r[1] * wy + cam.r[2] * wz;
  float cyp = cam.r[3] * wx + cam.r[4] * wy + cam.r[5] * wz;
  float czp = cam.r[6] * wx + cam.r[7] * wy + cam.r[8] * wz;
  if (czp <= 0.05f) return;
  int u = __float2int_rn(cam.fx * cxp / czp + cam.cx);
  int v = __float2int_rn(cam.fy * cyp / czp + cam.cy);
  if (u < 0 || v < 0 || u >= dw || v >= dh) return;
  float d = depth[v * dw + u] * 0.001f;
  if (d <= 0.f) return;
  float sdf = d - czp;
  if (sdf < -trunc) return;
  float t = fminf(1.f, sdf / trunc);

  size_t k = ((size_t)x * ny + y) * nz + z;
  short2 o = vol[k];
  float w = o.y;
  float nt = (o.x * (1.f / 32767.f) * w + t) / (w + 1.f);
  vol[k] = make_short2((short)(nt * 32767.f), (short)min(o.y + 1, max_weight));
}
