// SPDX-License-Identifier: Apache-2.0
//
// Grey values of a picture: three bytes to a pixel, or a plane for each colour.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kWidth = 3840;
constexpr int kHeight = 2160;

__global__ void rgb_gray_bad(const std::uint8_t* rgb, std::uint8_t* gray, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int pixel = y * width + x;
  const int r = rgb[3 * pixel];
  const int g = rgb[3 * pixel + 1];
  const int b = rgb[3 * pixel + 2];
  gray[pixel] = static_cast<std::uint8_t>((77 * r + 150 * g + 29 * b) >> 8);
}

__global__ void rgb_gray_good(const std::uint8_t* planes, std::uint8_t* gray, int width,
                              int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int pixel = y * width + x;
  const int r = planes[pixel];
  const int g = planes[width * height + pixel];
  const int b = planes[2 * width * height + pixel];
  gray[pixel] = static_cast<std::uint8_t>((77 * r + 150 * g + 29 * b) >> 8);
}

template <typename Kernel>
Side Make(Kernel kernel, bool is_planar) {
  std::vector<std::uint8_t> all(std::size_t{3} * kWidth * kHeight);
  for (std::size_t pixel = 0; pixel < all.size() / 3; ++pixel) {
    for (std::size_t c = 0; c < 3; ++c) {
      all[is_planar ? c * (all.size() / 3) + pixel : 3 * pixel + c] =
          static_cast<std::uint8_t>(pixel * (c + 3) / 5);
    }
  }
  const auto in = std::make_shared<DeviceArray<std::uint8_t>>(all);
  const auto gray = MakeArray<std::uint8_t>(std::size_t{kWidth} * kHeight);
  const dim3 block(32, 8);
  const dim3 grid(kWidth / 32, kHeight / 8);
  return {[=] { kernel<<<grid, block>>>(in->data(), gray->data(), kWidth, kHeight); },
          [=] { return Values(*gray); }};
}

int main(int argc, char** argv) {
  return Main(argc, argv,
              {"rgb_gray", [] { return Make(rgb_gray_bad, false); },
               [] { return Make(rgb_gray_good, true); }});
}
