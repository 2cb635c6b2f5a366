// SPDX-License-Identifier: Apache-2.0
//
// Word by word.
#include "libcoalcheck/prediction/launch_words.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

namespace coalcheck::prediction {
namespace {

template <typename Number>
std::optional<Number> NumberOf(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Empty, or what is wrong.
std::string TakeWord(std::string_view word, KnownLaunch& launch) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return fmt::format("'{}' is no KEY=VALUE", word);
  const std::string_view key = word.substr(0, equals);
  const std::string_view value = word.substr(equals + 1);
  if (key == "grid" || key == "block") {
    const Result<address::Extent> extent = ReadExtent(value);
    if (!extent.ok()) return fmt::format("{}: {}", key, extent.error());
    (key == "grid" ? launch.grid : launch.block) = extent.value();
    return {};
  }
  const bool is_argument = key.starts_with("arg");
  const auto number = is_argument ? NumberOf<std::uint32_t>(key.substr(3)) : std::nullopt;
  if (!number || *number == 0) {
    return fmt::format("'{}' is none of grid, block and arg1, arg2, …", key);
  }
  const auto whole = NumberOf<std::int64_t>(value);
  if (!whole) return fmt::format("{} takes a whole number, not '{}'", key, value);
  launch.by_number[*number - 1] = *whole;
  return {};
}

}  // namespace

Result<address::Extent> ReadExtent(std::string_view text) {
  address::Extent extent;
  std::uint32_t* const sizes[] = {&extent.x, &extent.y, &extent.z};
  std::string_view rest = text;
  for (std::uint32_t* const size : sizes) {
    const std::size_t cross = rest.find('x');
    const auto number = NumberOf<std::uint32_t>(rest.substr(0, cross));
    if (!number || *number == 0) break;
    *size = *number;
    if (cross == std::string_view::npos) return extent;
    rest.remove_prefix(cross + 1);
  }
  return Error{fmt::format("takes up to three sizes from 1 on, as 32x8, not '{}'", text)};
}

Result<NamedLaunch> ReadLaunchWords(std::string_view text) {
  // Names hold "::", and what follows the kernel is a blank.
  const std::size_t colon = text.find(": ");
  NamedLaunch named;
  named.kernel = Trimmed(text.substr(0, colon));
  if (colon == std::string_view::npos || named.kernel.empty()) {
    return Error{fmt::format("takes 'KERNEL: grid=128x512 block=32x8 arg4=4096', not '{}'", text)};
  }
  std::string_view rest = Trimmed(text.substr(colon + 2));
  while (!rest.empty()) {
    const std::size_t blank = rest.find(' ');
    if (std::string problem = TakeWord(rest.substr(0, blank), named.launch); !problem.empty()) {
      return Error{std::move(problem)};
    }
    rest = blank == std::string_view::npos ? std::string_view() : Trimmed(rest.substr(blank));
  }
  if (!named.launch.grid && !named.launch.block && named.launch.by_number.empty()) {
    return Error{fmt::format("says nothing of {}", named.kernel)};
  }
  named.launch.origin = kByHand;
  return named;
}

}  // namespace coalcheck::prediction
