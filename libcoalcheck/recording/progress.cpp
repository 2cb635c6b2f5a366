// SPDX-License-Identifier: Apache-2.0
//
// Puts the numbers into bytes and takes them out again.
#include "libcoalcheck/recording/progress.h"

namespace coalcheck::recording {
namespace {

std::uint64_t NumberAt(std::string_view bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 8; i > 0; --i) {
    number = (number << 8U) | static_cast<unsigned char>(bytes[at + i - 1]);
  }
  return number;
}

}  // namespace

std::string ProgressBytes(const Progress& progress) {
  std::string bytes(kProgressMagic);
  for (std::uint64_t number : {progress.launches, progress.windows, progress.kernels_without_lines,
                               progress.window_milliseconds}) {
    for (int i = 0; i < 8; ++i, number >>= 8U) bytes += static_cast<char>(number & 0xffU);
  }
  bytes.resize(kProgressBytes);
  return bytes;
}

std::optional<Progress> ReadProgress(std::string_view bytes) {
  if (bytes.size() < kProgressBytes || !bytes.starts_with(kProgressMagic)) return std::nullopt;
  return Progress{NumberAt(bytes, 8), NumberAt(bytes, 16), NumberAt(bytes, 24),
                  NumberAt(bytes, 32)};
}

}  // namespace coalcheck::recording
