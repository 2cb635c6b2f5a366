// SPDX-License-Identifier: Apache-2.0
//
// Pictures: pixels of several bytes, filters, warps by floating-point coordinates.
#include <cuda_fp16.h>

#include "kinds.h"

namespace {

using Byte = unsigned char;

__global__ void grey(const uchar3* in, Byte* out, int n) {
  const int i = Thread();
  if (i < n) out[i] = (in[i].x * 77 + in[i].y * 150 + in[i].z * 29) >> 8;
}

__global__ void nv12_to_rgb(const Byte* y, const Byte* uv, uchar4* out, int w, int h, int pitch) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y;
  if (i >= w) return;
  const int light = y[j * pitch + i];
  const int u = uv[(j / 2) * pitch + (i & ~1)];
  const int v = uv[(j / 2) * pitch + (i | 1)];
  out[j * w + i] = make_uchar4(light + v, light - u, light + u, 255);
}

__global__ void sobel_bytes(const Byte* in, Byte* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y + 1;
  if (x >= w - 1 || y >= h - 1) return;
  const Byte* at = in + y * w + x;
  const int gx = at[1 - w] + 2 * at[1] + at[1 + w] - at[-1 - w] - 2 * at[-1] - at[w - 1];
  const int gy = at[w - 1] + 2 * at[w] + at[w + 1] - at[-w - 1] - 2 * at[-w] - at[1 - w];
  out[y * w + x] = min(abs(gx) + abs(gy), 255);
}

// One thread for a column, and for a row.
__global__ void running_sum_of_columns(const float* in, float* out, int w, int h, int radius) {
  const int x = Thread();
  if (x >= w) return;
  float sum = 0;
  for (int y = 0; y < radius; ++y) sum += in[y * w + x];
  for (int y = 0; y < h; ++y) {
    if (y + radius < h) sum += in[(y + radius) * w + x];
    if (y - radius >= 0) sum -= in[(y - radius) * w + x];
    out[y * w + x] = sum;
  }
}
__global__ void running_sum_of_rows(const float* in, float* out, int w, int h) {
  const int y = Thread();
  if (y >= h) return;
  float sum = 0;
  for (int x = 0; x < w; ++x) out[y * w + x] = sum += in[y * w + x];
}

__global__ void rotated(const float* in, float* out, int w, int h, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float s = sinf(angle);
  const float c = cosf(angle);
  const int from_x = static_cast<int>(c * (x - w / 2) - s * (y - h / 2)) + w / 2;
  const int from_y = static_cast<int>(s * (x - w / 2) + c * (y - h / 2)) + h / 2;
  const bool inside = from_x >= 0 && from_x < w && from_y >= 0 && from_y < h;
  out[y * w + x] = inside ? in[from_y * w + from_x] : 0;
}

__global__ void rotated_fast(const float* in, float* out, int w, int h, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float s = __sinf(angle);
  const float c = __cosf(angle);
  const int from_x = __float2int_rd(c * (x - w / 2) - s * (y - h / 2)) + w / 2;
  const int from_y = __float2int_rd(s * (x - w / 2) + c * (y - h / 2)) + h / 2;
  const bool inside = from_x >= 0 && from_x < w && from_y >= 0 && from_y < h;
  out[y * w + x] = inside ? in[from_y * w + from_x] : 0;
}

__global__ void bilinear(const float* in, float* out, int w, int h, int to_w, int to_h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= to_w) return;
  const float at_x = (x + 0.5F) * (static_cast<float>(w) / to_w) - 0.5F;
  const float at_y = (y + 0.5F) * (static_cast<float>(h) / to_h) - 0.5F;
  const int x0 = max(static_cast<int>(floorf(at_x)), 0);
  const int y0 = max(static_cast<int>(floorf(at_y)), 0);
  const int x1 = min(x0 + 1, w - 1);
  const int y1 = min(y0 + 1, h - 1);
  const float fx = at_x - x0;
  const float fy = at_y - y0;
  const float top = in[y0 * w + x0] * (1 - fx) + in[y0 * w + x1] * fx;
  out[y * to_w + x] = top * (1 - fy) + (in[y1 * w + x0] * (1 - fx) + in[y1 * w + x1] * fx) * fy;
}

__global__ void nearest(const float* in, float* out, int w, int to_w, float scale) {
  const int x = Thread();
  if (x < to_w) out[x] = in[min(static_cast<int>(__fdividef(x, scale)), w - 1)];
}

__global__ void barrel(const float* in, float* out, int n, float k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  const float u = 2.F * x / n - 1;
  const float v = 2.F * y / n - 1;
  const float r = sqrtf(u * u + v * v);
  const float bend = 1 + k * r * r;
  const int from_x = static_cast<int>((u * bend + 1) * 0.5F * n);
  const int from_y = static_cast<int>((v * bend + 1) * 0.5F * n);
  if (from_x >= 0 && from_y >= 0 && from_x < n && from_y < n)
    out[y * n + x] = in[from_y * n + from_x];
}

__global__ void polar(const float* in, float* out, int n) {
  const int angle = blockIdx.x * blockDim.x + threadIdx.x;
  const float phi = angle * 6.2831853F / (gridDim.x * blockDim.x);
  for (int r = 0; r < n / 2; ++r) {
    const int x = __float2int_rn(n / 2 + r * cosf(phi));
    const int y = __float2int_rn(n / 2 + r * sinf(phi));
    if (x < n && y < n) out[r * gridDim.x * blockDim.x + angle] = in[y * n + x];
  }
}

__global__ void from_polar(const float* in, float* out, int n, int rays) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x - n / 2;
  const int y = static_cast<int>(blockIdx.y) - n / 2;
  const float r = hypotf(x, y);
  const float phi = atan2f(y, x) + 3.14159274F;
  const int ray = min(static_cast<int>(phi * (rays / 6.2831854F)), rays - 1);
  out[(y + n / 2) * n + x + n / 2] = in[static_cast<int>(r) * rays + ray];
}

__global__ void mandelbrot(int* out, int w, int h, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= w) return;
  const float cx = 3.F * x / w - 2;
  const float cy = 2.F * y / h - 1;
  float zx = 0;
  float zy = 0;
  int i = 0;
  while (zx * zx + zy * zy < 4 && i < most) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = next;
    ++i;
  }
  out[y * w + x] = i;
}

// Along a ray through a cube.
__global__ void ray_march(const float* cube, float* out, int n, float3 step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  float3 at = make_float3(x, y, 0);
  float sum = 0;
  for (int i = 0; i < 2 * n; ++i) {
    if (at.x < 0 || at.y < 0 || at.z < 0 || at.x >= n || at.y >= n || at.z >= n) break;
    sum += cube[(static_cast<int>(at.z) * n + static_cast<int>(at.y)) * n + static_cast<int>(at.x)];
    at.x += step.x;
    at.y += step.y;
    at.z += step.z;
  }
  out[y * n + x] = sum;
}

__global__ void looked_up(const Byte* in, const float* gamma, float* out, float contrast) {
  const int i = Thread();
  const float bright = __saturatef(i * contrast);
  out[i] = gamma[static_cast<int>(bright * 255)] + gamma[in[i]];
}

__global__ void zigzag(const float* in, float* out) {
  constexpr int kOrder[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                              12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                              35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                              58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
  out[blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x * 64 + kOrder[threadIdx.x]];
}

__global__ void bayer(const Byte* in, Byte* out, int w, int h) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int y = 2 * blockIdx.y;
  if (x >= w) return;
  for (int dy = 0; dy < 2; ++dy) {
    for (int dx = 0; dx < 2; ++dx) {
      Byte* pixel = out + 3 * ((y + dy) * w + x + dx);
      pixel[0] = in[y * w + x];
      pixel[1] = in[(y + dy) * w + x + (1 - dy)];
      pixel[2] = in[(y + 1) * w + x + 1];
    }
  }
}

__global__ void half_blend(const half2* a, const half2* b, half2* out, int n, half weight) {
  for (int i = Thread(); i < n; i += gridDim.x * blockDim.x) {
    out[i] = __hfma2(a[i], __half2half2(weight), b[n - 1 - i]);
  }
}

__global__ void half_coordinates(const float* in, float* out, half scale) {
  const int x = threadIdx.x;
  const half at = __hmul(__int2half_rn(x), scale);
  out[x] = in[__half2int_rd(at)];
  out[512 + __half2int_rz(__hadd(at, at))] = 1;
}

}  // namespace

void LaunchImages(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  const auto* bytes = reinterpret_cast<const Byte*>(random);
  auto* to = reinterpret_cast<Byte*>(out);
  Launch(grey, 40, 256, arrays, reinterpret_cast<const uchar3*>(bytes), to, 10000);
  Launch(nv12_to_rgb, dim3(2, 100), 128, arrays, bytes, bytes + 25600,
         reinterpret_cast<uchar4*>(to), 200, 100, 256);
  Launch(sobel_bytes, dim3(2, 98), 128, arrays, bytes, to, 200, 100);
  Launch(running_sum_of_columns, 2, 128, arrays, a, out, 200, 300, 5);
  Launch(running_sum_of_rows, 2, 128, arrays, a, out, 300, 200);
  Launch(rotated, dim3(7, 13), dim3(32, 8), arrays, a, out, 200, 100, 0.3F);
  Launch(rotated_fast, dim3(7, 13), dim3(32, 8), arrays, a, out, 200, 100, 0.3F);
  Launch(bilinear, dim3(3, 150), 128, arrays, a, out, 200, 100, 300, 150);
  Launch(nearest, 10, 128, arrays, a, out, 500, 1200, 2.4F);
  Launch(barrel, dim3(2, 256), 128, arrays, a, out, 256, 0.2F);
  Launch(polar, 3, 120, arrays, a, out, 200);
  Launch(from_polar, dim3(2, 200), 100, arrays, a, out, 200, 360);
  Launch(mandelbrot, dim3(2, 60), 128, arrays, zero, 200, 60, 200);
  Launch(ray_march, dim3(1, 64), 64, arrays, a, out, 64, make_float3(0.25F, -0.125F, 0.75F));
  Launch(looked_up, 8, 128, arrays, bytes, a, out, 0.001F);
  Launch(zigzag, 100, 64, arrays, a, out);
  Launch(bayer, dim3(1, 50), 128, arrays, bytes, to, 200, 100);
  Launch(half_blend, 8, 128, arrays, reinterpret_cast<const half2*>(a),
         reinterpret_cast<const half2*>(b), reinterpret_cast<half2*>(out), 5000,
         __float2half(0.5F));
  Launch(half_coordinates, 2, 256, arrays, a, out, __float2half(0.6F));
}
