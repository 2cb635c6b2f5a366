// SPDX-License-Identifier: Apache-2.0
//
// Word by word.
#include "libcoalcheck/prediction/launch_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "libcoalcheck/base/trimmed.h"

namespace coalcheck::prediction {
namespace {

template <typename Number>
std::optional<Number> NumberOf(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

constexpr std::string_view kBlanks = " \t";

bool IsName(std::string_view text) {
  const bool is_digit_first = !text.empty() && text[0] >= '0' && text[0] <= '9';
  return !text.empty() && !is_digit_first && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

std::string Twice(std::string_view key) { return fmt::format("{} is given twice", key); }

bool IsShape(std::string_view key) { return key == "grid" || key == "block"; }

// Of "arg4" the number behind "arg".
std::optional<std::uint32_t> ParameterNumber(std::string_view key) {
  if (!key.starts_with("arg")) return std::nullopt;
  return NumberOf<std::uint32_t>(key.substr(3));
}

std::optional<ArgumentValue> ValueOf(std::string_view text) {
  if (const auto whole = NumberOf<std::int64_t>(text)) return *whole;
  const auto number = NumberOf<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return *number;
}

// Empty, or what is wrong.
std::string TakeWord(std::string_view word, KnownLaunch& launch) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return fmt::format("'{}' is no KEY=VALUE", word);
  const std::string_view key = word.substr(0, equals);
  const std::string_view value = word.substr(equals + 1);
  if (IsShape(key)) {
    const Result<address::Extent> extent = ReadExtent(value);
    if (!extent.ok()) return fmt::format("{}: {}", key, extent.error());
    std::optional<address::Extent>& its = key == "grid" ? launch.grid : launch.block;
    if (its) return Twice(key);
    its = extent.value();
    return {};
  }
  if (!IsName(key)) return fmt::format("'{}' is no name of a parameter", key);
  const std::optional<ArgumentValue> its = ValueOf(value);
  if (!its) return fmt::format("{} takes a number, not '{}'", key, value);
  const std::optional<std::uint32_t> number = ParameterNumber(key);
  if (number == 0U) return "parameters are counted from arg1";
  const bool is_new = number ? launch.by_number.emplace(*number - 1, *its).second
                             : launch.by_name.emplace(key, *its).second;
  return is_new ? std::string() : Twice(key);
}

}  // namespace

std::string WordOf(std::uint32_t parameter, const std::vector<std::string>& names) {
  const std::string name = parameter < names.size() ? names[parameter] : "";
  const bool is_its = IsName(name) && !IsShape(name) && !ParameterNumber(name);
  return is_its ? name : fmt::format("arg{}", parameter + 1);
}

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
    return Error{
        fmt::format("takes 'KERNEL: grid=128x512 block=32x8 height=4096', not '{}'", text)};
  }
  const Result<KnownLaunch> launch = ReadLaunch(text.substr(colon + 2));
  if (!launch.ok()) return Error{fmt::format("{}: {}", named.kernel, launch.error())};
  named.launch = launch.value();
  named.launch.origin = kByHand;
  return named;
}

Result<KnownLaunch> ReadLaunch(std::string_view words) {
  KnownLaunch launch;
  std::string_view rest = Trimmed(words);
  if (rest.empty()) return Error{"says nothing of its launches"};
  while (!rest.empty()) {
    const std::size_t blank = rest.find_first_of(kBlanks);
    if (std::string problem = TakeWord(rest.substr(0, blank), launch); !problem.empty()) {
      return Error{std::move(problem)};
    }
    rest = blank == std::string_view::npos ? std::string_view() : Trimmed(rest.substr(blank));
  }
  return launch;
}

}  // namespace coalcheck::prediction
