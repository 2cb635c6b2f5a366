// SPDX-License-Identifier: Apache-2.0
//
// Memory on the GPU that fills itself and can be looked at in slices, so that a sample over a
// gigabyte starts at once. No kernel is launched for that: a sample's own kernels stay the only
// ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "samples/common/check.h"

namespace samples {

// Arrays are filled with a repeating pattern. Its length is prime, so that no stride lines up with
// it, and below 2^24, so that a float holds every value exactly.
inline constexpr std::size_t kPatternLength = 1000003;

template <typename T>
constexpr T PatternAt(std::size_t index) {
  return static_cast<T>(index % kPatternLength);
}

// A pattern of small integers, for sums that must be exact in any order.
inline constexpr std::size_t kSmallPatternLength = 7;

template <typename T>
constexpr T SmallPatternAt(std::size_t index) {
  return static_cast<T>(index % kSmallPatternLength);
}

// An array of `T` in device memory; it starts at a multiple of 256 bytes, as cudaMalloc promises.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    Check(cudaMalloc(&data_, size * sizeof(T)));
    Check(cudaMemset(data_, 0, size * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    Upload(values, values.size());
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() { return data_; }
  std::size_t size() const { return size_; }

  // Element i becomes values[i % values.size()].
  void FillRepeating(const std::vector<T>& values) {
    std::size_t filled = std::min(values.size(), size_);
    Upload(values, filled);
    while (filled < size_) {
      const std::size_t more = std::min(filled, size_ - filled);
      Check(cudaMemcpy(data_ + filled, data_, more * sizeof(T), cudaMemcpyDeviceToDevice));
      filled += more;
    }
  }

  // Element i becomes PatternAt<T>(i).
  void FillWithPattern() {
    std::vector<T> pattern(kPatternLength);
    for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = PatternAt<T>(i);
    FillRepeating(pattern);
  }

  // Element i becomes SmallPatternAt<T>(i).
  void FillWithSmallPattern() {
    std::vector<T> pattern(kSmallPatternLength);
    for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = SmallPatternAt<T>(i);
    FillRepeating(pattern);
  }

  void Zero() { Check(cudaMemset(data_, 0, size_ * sizeof(T))); }

  std::vector<T> Slice(std::size_t begin, std::size_t count) const {
    std::vector<T> values(count);
    Check(cudaMemcpy(values.data(), data_ + begin, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  void Upload(const std::vector<T>& values, std::size_t count) {
    Check(cudaMemcpy(data_, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }

  T* data_ = nullptr;
  std::size_t size_;
};

// Compares up to 64 evenly spread slices of `array` (all of a small one) with `expected(index)`;
// the program ends with the first element that is wrong.
template <typename T, typename Expected>
void Verify(const char* kernel, const DeviceArray<T>& array, Expected expected) {
  constexpr std::size_t kSlices = 64;
  constexpr std::size_t kLength = 8192;
  const std::size_t step = std::max(array.size() / kSlices, kLength);
  for (std::size_t begin = 0; begin < array.size(); begin += step) {
    const std::vector<T> slice = array.Slice(begin, std::min(kLength, array.size() - begin));
    for (std::size_t i = 0; i < slice.size(); ++i) {
      if (slice[i] == expected(begin + i)) continue;
      std::fprintf(stderr, "%s: element %zu is %g instead of %g\n", kernel, begin + i,
                   static_cast<double>(slice[i]), static_cast<double>(expected(begin + i)));
      std::exit(kWrongResult);
    }
  }
}

}  // namespace samples
