// SPDX-License-Identifier: Apache-2.0
//
// The sampling period's grammar.
#include "libcoalcheck/options/pc_sampling_options.h"

#include <fmt/format.h>

#include <charconv>

namespace coalcheck::options {

Result<SamplePeriod> SamplePeriod::Parse(std::string_view text) {
  std::uint32_t exponent = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), text_end, exponent);
  if (code != std::errc() || end != text_end || exponent < kLeast || exponent > kMost) {
    return Error{
        fmt::format("'{}' is not a power of two of clock cycles: {} to {}", text, kLeast, kMost)};
  }
  return SamplePeriod(exponent);
}

}  // namespace coalcheck::options
