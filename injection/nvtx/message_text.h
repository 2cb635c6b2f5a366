// SPDX-License-Identifier: Apache-2.0
//
// The texts that programs hand to NVTX, as UTF-8 of bounded length.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "injection/agent/ranges/range_names.h"

namespace coalcheck::nvtx {

// A few bytes more than a name keeps, so that a cut finds where its last character begins.
inline constexpr std::size_t kMaxTextBytes = agent::kMaxNameBytes + 4;

// As much of `text` as can matter; empty for null.
std::string_view Narrow(const char* text);

// A wide text in UTF-8. What is no character becomes U+FFFD.
class Narrowed {
 public:
  explicit Narrowed(const wchar_t* text);
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  void Add(char32_t character);

  std::array<char, kMaxTextBytes + 4> bytes_;
  std::size_t size_ = 0;
};

}  // namespace coalcheck::nvtx
