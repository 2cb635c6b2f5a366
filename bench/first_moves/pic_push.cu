// SPDX-License-Identifier: Apache-2.0
//
// Boris push of charged particles, trilinear gather of E from the nodes, uniform B.
// Particles are re-sorted by cell every few steps by another kernel.
struct Particle {
  double x, y, z;
  double vx, vy, vz;
  double qm;
  int species;
  int alive;
};

__device__ inline int wrap(int i, int n) { return i >= n ? i - n : i; }

extern "C" __global__ void pic_push(Particle* p, int n_part, const float4* __restrict__ efield,
                                    int nx, int ny, int nz, double dt, double inv_dx, double bx,
                                    double by, double bz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n_part) return;
  if (!p[i].alive) return;

  double fx = p[i].x * inv_dx, fy = p[i].y * inv_dx, fz = p[i].z * inv_dx;
  int ix = (int)floor(fx), iy = (int)floor(fy), iz = (int)floor(fz);
  float wx = (float)(fx - ix), wy = (float)(fy - iy), wz = (float)(fz - iz);
  float ex = 0, ey = 0, ez = 0;
  for (int c = 0; c < 8; ++c) {
    int jx = wrap(ix + (c & 1), nx), jy = wrap(iy + ((c >> 1) & 1), ny),
        jz = wrap(iz + (c >> 2), nz);
    float w = ((c & 1) ? wx : 1 - wx) * ((c & 2) ? wy : 1 - wy) * ((c & 4) ? wz : 1 - wz);
    float4 e = efield[((size_t)jz * ny + jy) * nx + jx];
    ex += w * e.x;
    ey += w * e.y;
    ez += w * e.z;
  }
  double h = 0.5 * dt * p[i].qm;
  double ux = p[i].vx + h * ex, uy = p[i].vy + h * ey, uz = p[i].vz + h * ez;
  double tx = h * bx, ty = h * by, tz = h * bz;
  double s = 2.0 / (1.0 + tx * tx + ty * ty + tz * tz);
  double px = ux + uy * tz - uz * ty, py = uy + uz * tx - ux * tz, pz = uz + ux * ty - uy * tx;
  ux += s * (py * tz - pz * ty) + h * ex;
  uy += s * (pz * tx - px * tz) + h * ey;
  uz += s * (px * ty - py * tx) + h * ez;
  p[i].vx = ux;
  p[i].vy = uy;
  p[i].vz = uz;
  p[i].x += dt * ux;
  p[i].y += dt * uy;
  p[i].z += dt * uz;
}
